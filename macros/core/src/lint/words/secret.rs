//! Secrets: even a hash of one can be guessed.

use super::{Rule, Words};

pub(super) const WORDS: Words = &[(
    &[
        "access_key",
        "access_token",
        "api_key",
        "auth_token",
        "authorization",
        "bearer",
        "client_secret",
        "cookie",
        "cvc",
        "cvv",
        "id_token",
        "jwt",
        "otp",
        "passwd",
        "password",
        "pin",
        "private_key",
        "refresh_token",
        "secret",
        "session",
        "session_token",
        "signature",
        "token",
        "x_api_key",
    ],
    Rule::Plain,
)];

/// Ends of names that are secrets whatever stands before.
pub(super) const SUFFIXES: &[&str] = &["_password", "_passwd", "_secret", "_private_key", "_api_key"];
