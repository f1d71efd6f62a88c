//! Data about people: keys are shown in logs and errors.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "account_number",
        "address",
        "birth_date",
        "birthday",
        "card",
        "card_no",
        "card_number",
        "date_of_birth",
        "dob",
        "e_mail",
        "email",
        "email_address",
        "expiry",
        "first_name",
        "full_name",
        "iban",
        "last_name",
        "mobile",
        "msisdn",
        "national_id",
        "pan",
        "passport",
        "phone",
        "phone_number",
        "social_security_number",
        "ssn",
        "tax_id",
    ],
    Rule::Plain,
)];

/// Ends of names that are such data whatever stands before.
pub(super) const SUFFIXES: &[&str] =
    &["_email", "_e_mail", "_iban", "_msisdn", "_phone", "_phone_number", "_ssn"];
