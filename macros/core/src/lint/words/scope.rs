//! Who or where: many requests share them.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "account_id",
        "client_id",
        "country",
        "customer_id",
        "device_id",
        "member_id",
        "merchant_id",
        "org_id",
        "organization_id",
        "project_id",
        "region",
        "shop_id",
        "store_id",
        "sub",
        "subject",
        "tenant",
        "tenant_id",
        "uid",
        "user_id",
        "username",
        "vendor_id",
        "workspace_id",
    ],
    Rule::Plain,
)];
