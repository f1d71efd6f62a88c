//! Things that many requests are about; fine with a scope.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &["amount", "document_id", "name", "price", "product_code", "product_id", "quantity", "sku"],
    Rule::Plain,
)];
