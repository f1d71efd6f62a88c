//! All lints.

use super::{
    Lint, across, delivery_counter, fingerprint, generic_operation, key_made_inside, lease, missing_tenant,
    per_invocation_id, personal_data, random_part, redelivery_only_id, resolution, signature,
    swallowed_error, timestamp, too_coarse, trace_id, uncovered_argument, unreconciled, unstable_form,
    whole_payload, window,
};

/// All lints, sorted by code.
pub fn registry() -> &'static [Lint] {
    &LINTS
}

static LINTS: [Lint; 37] = [
    resolution::CONSTANT_KEY,
    delivery_counter::LINT,
    resolution::DUPLICATE_PART,
    generic_operation::LINT,
    across::KEY_CHANGED,
    across::KEY_MADE_AT_CALL,
    key_made_inside::LINT,
    lease::ABOVE_VISIBILITY,
    lease::TOO_SHORT,
    missing_tenant::LINT,
    signature::NOT_A_RESULT,
    across::OPERATION_COLLISION,
    resolution::OPTIONAL_PART,
    per_invocation_id::LINT,
    personal_data::PERSONAL_DATA,
    random_part::LINT,
    redelivery_only_id::LINT,
    across::SAME_KEY_OTHER_TTL,
    personal_data::SECRET,
    swallowed_error::LINT,
    timestamp::LINT,
    too_coarse::LINT,
    trace_id::LINT,
    lease::TTL_BELOW,
    window::BELOW,
    window::TOO_LONG,
    uncovered_argument::LINT,
    resolution::UNKNOWN_ARGUMENT,
    unreconciled::LINT,
    across::UNPROTECTED_EFFECT,
    unstable_form::LINT,
    signature::UNSUPPORTED_FUNCTION,
    resolution::UNUSABLE_PART,
    fingerprint::KEY_ONLY,
    fingerprint::VOLATILE,
    whole_payload::LINT,
    window::REQUIRED,
];
