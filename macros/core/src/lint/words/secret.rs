//! Secrets: even a hash of one can be guessed.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "access_key",
        "access_token",
        "api_key",
        "api_token",
        "auth_token",
        "authorization",
        "bearer",
        "bearer_token",
        "client_secret",
        "cookie",
        "csrf_token",
        "cvc",
        "cvv",
        "id_token",
        "jwt",
        "otp",
        "otp_code",
        "passcode",
        "passwd",
        "password",
        "password_digest",
        "password_hash",
        "pin",
        "pin_code",
        "private_key",
        "refresh_token",
        "secret",
        "security_code",
        "session",
        "session_token",
        "signature",
        "token",
        "x_api_key",
    ],
    Rule::Plain,
)];

/// Ends of names that are secrets whatever stands before.
pub(super) const SUFFIXES: &[&str] =
    &["_password", "_password_hash", "_passwd", "_secret", "_private_key", "_api_key"];
