//! The cases about the verbs of a store, by subject, and how they are run.

/// Hands the list to the macro in brackets, after the tokens that follow it.
#[doc(hidden)]
#[macro_export]
macro_rules! __verb_cases {
    ([$($then:tt)*] $($with:tt)*) => {
        $($then)*! { $($with)*
            claim: run [
                a_new_key_has_no_record,
                the_first_claim_of_a_key_is_granted,
                a_granted_claim_is_recorded_whole,
                a_claim_of_a_held_operation_records_the_policy,
                a_claim_without_a_fingerprint_records_none,
                the_first_epoch_is_the_time_of_the_claim_plus_one,
                a_claim_leaves_other_keys_free,
                a_completed_outcome_answers_the_next_claim,
                a_failed_outcome_answers_the_next_claim,
                an_outcome_answers_every_later_claim_alike,
                an_outcome_answers_its_own_owner_too,
                a_released_key_goes_to_the_next_owner,
                a_released_key_is_not_given_back_to_the_owner_that_released_it,
                attempts_are_counted_over_every_release,
                an_unknown_outcome_is_told_and_never_claimed,
                a_claim_judges_by_the_time_it_is_given,
                a_store_that_says_it_is_ready_can_be_claimed,
            ]
            cold: run [
                a_second_handle_sees_the_outcome,
                a_second_handle_sees_the_claim,
                a_second_handle_tells_a_mismatch,
                a_second_handle_takes_over_and_the_first_is_fenced,
                a_second_handle_writes_for_the_owner_of_the_first,
                a_second_handle_knows_an_announced_attempt,
                a_second_handle_evicts,
                two_handles_of_one_place_have_one_identity,
                a_clone_of_a_handle_shares_the_records,
            ]
            complete: run [
                a_completion_is_recorded_whole,
                a_failure_is_recorded_whole,
                a_completion_keeps_what_was_announced,
                a_completion_sent_again_is_already_done,
                a_failure_sent_again_is_already_done,
                the_first_outcome_of_an_owner_stands,
                a_completion_past_the_lease_is_applied_while_nobody_has_taken_over,
                a_failure_past_the_lease_is_applied_while_nobody_has_taken_over,
                nothing_changes_a_completed_record,
                nothing_changes_a_failed_record,
                a_write_to_a_key_without_a_record_creates_none,
                a_write_changes_its_own_key_only,
            ]
            concurrency: run_threaded [
                of_many_claims_of_a_new_key_one_is_granted,
                of_many_claims_of_a_dead_lease_one_takes_over,
                of_many_claims_of_a_released_key_one_is_granted,
                of_many_claims_of_an_expired_outcome_one_is_granted,
                many_claims_of_an_announced_dead_attempt_are_all_told_unknown,
                one_claim_delivered_many_times_is_one_claim,
                one_completion_delivered_many_times_is_applied_once,
                a_completion_and_a_takeover_do_not_both_win,
                a_renewal_and_a_takeover_do_not_both_win,
                a_release_and_a_takeover_do_not_both_win,
                a_completion_and_an_eviction_agree_on_their_order,
                two_handles_race_for_a_new_key,
                two_handles_race_for_a_dead_lease,
                many_keys_at_once_do_not_disturb_each_other,
                no_epoch_has_two_owners,
            ]
            evict: run [
                an_evicted_record_is_gone,
                records_of_every_status_can_be_evicted,
                an_evicted_key_is_claimed_afresh,
                evicting_another_epoch_removes_nothing,
                evicting_a_key_without_a_record_removes_nothing,
                evicting_leaves_other_keys_alone,
                reading_a_record_changes_nothing,
            ]
            expiry: run [
                an_outcome_is_replayed_up_to_and_including_its_last_instant,
                an_outcome_past_its_ttl_is_run_again,
                a_failure_past_its_ttl_is_run_again,
                the_ttl_counts_from_completion,
                the_ttl_of_an_outcome_is_that_of_its_completion,
                the_ttl_of_a_later_caller_changes_nothing,
                a_second_run_after_the_ttl_has_an_outcome_of_its_own,
                an_expired_record_is_still_shown_as_it_is,
                a_late_retry_is_rejected_as_long_as_the_tombstone_stands,
                a_late_retry_of_a_failure_is_rejected_too,
                an_operation_that_rejects_late_retries_still_replays_in_time,
                a_tombstone_does_not_stop_an_operation_that_runs_late_retries,
                a_late_retry_without_a_tombstone_runs_even_where_late_retries_are_rejected,
                only_final_outcomes_expire,
                a_ttl_without_end_never_expires,
            ]
            fencing: run [
                a_late_completion_is_refused,
                a_late_failure_is_refused,
                a_late_release_is_refused,
                a_late_unknown_is_refused,
                a_late_announcement_is_refused,
                a_late_renewal_does_not_steal_the_lease_back,
                the_new_owner_is_not_disturbed_by_the_late_one,
                a_late_owner_gets_the_completed_outcome_of_the_new_one,
                a_late_owner_gets_the_failed_outcome_of_the_new_one,
                a_late_owner_is_refused_after_the_new_one_released,
                a_late_owner_is_refused_after_the_new_one_ended_unknown,
                a_late_owner_cannot_settle_its_own_unknown_outcome,
                an_evicted_record_is_not_resurrected,
                a_late_owner_is_refused_after_its_record_was_forgotten_and_claimed_again,
                a_late_owner_is_refused_after_its_record_was_evicted_and_claimed_again,
                the_owner_alone_is_not_enough,
                the_epoch_alone_is_not_enough,
                two_takeovers_in_one_millisecond_are_told_apart,
                an_owner_cannot_write_under_the_epoch_of_its_earlier_claim,
            ]
            history: run [
                random_histories_agree_with_the_protocol,
            ]
            keys: run [
                keys_that_differ_in_case_are_told_apart,
                keys_that_differ_in_unicode_form_are_told_apart,
                keys_that_differ_in_blanks_are_told_apart,
                keys_with_wildcards_and_quotes_are_told_apart,
                keys_that_begin_alike_are_told_apart,
                keys_of_other_operations_and_namespaces_are_told_apart,
                the_longest_keys_are_told_apart_by_their_last_byte,
            ]
            lease: run [
                a_live_lease_keeps_others_out,
                a_lease_that_is_dead_for_less_than_the_skew_budget_keeps_others_out,
                a_caller_whose_clock_is_behind_is_kept_out,
                a_dead_lease_is_taken_over_when_the_skew_budget_is_over,
                the_skew_budget_is_that_of_the_claim,
                a_renewed_lease_keeps_others_out_for_longer,
                a_chain_of_takeovers_counts_epochs_and_attempts,
                a_takeover_records_the_policy_of_the_new_owner,
                a_takeover_ends_with_the_outcome_of_the_new_owner,
                a_ttl_shorter_than_the_lease_does_not_end_it,
                a_body_longer_than_the_ttl_stays_alone_while_it_renews,
                a_lease_of_zero_is_dead_after_the_skew_budget,
                a_lease_that_ends_before_the_claim_is_taken_over_and_fenced,
                the_end_of_a_lease_is_kept_to_the_millisecond,
            ]
            lost_answer: run [
                an_owner_that_asks_again_gets_its_own_claim,
                an_owner_that_asks_again_does_not_move_its_lease,
                an_owner_that_asks_again_after_its_lease_gets_its_own_claim,
                an_owner_that_asks_again_is_told_its_renewed_lease,
                an_owner_that_asks_again_gets_its_announced_claim,
                an_owner_that_asks_again_after_its_takeover_gets_that_claim,
                an_owner_that_was_taken_over_is_told_in_progress,
                an_owner_that_was_taken_over_gets_the_outcome_of_the_other,
                a_claim_delivered_late_does_not_take_a_released_key_back,
                a_claim_delivered_late_does_not_revive_a_key_that_the_next_owner_released,
            ]
            payload: run [
                bytes_come_back_exactly,
                a_value_that_was_not_kept_stays_apart_from_an_empty_one,
                the_version_of_a_value_comes_back,
                the_value_of_a_failure_comes_back,
                owner_tokens_come_back_exactly,
                large_numbers_come_back_exactly,
            ]
            release: run [
                a_release_keeps_owner_and_epoch,
                a_release_sent_again_is_already_done,
                a_release_past_the_lease_is_applied_while_nobody_has_taken_over,
                a_released_attempt_takes_no_other_write,
                an_unknown_outcome_is_recorded_whole,
                an_unknown_outcome_sent_again_is_already_done,
                an_unknown_attempt_takes_no_other_write,
            ]
            renew: run [
                a_renewal_moves_the_lease_and_nothing_else,
                a_renewal_that_is_not_later_changes_nothing,
                a_lease_is_never_shortened,
                a_dead_lease_is_renewed_while_nobody_has_taken_over,
                an_announcement_is_recorded,
                an_announcement_sent_again_is_applied_again,
                a_renewal_keeps_an_announcement,
                an_announced_attempt_whose_lease_is_dead_becomes_unknown,
                a_held_attempt_whose_lease_is_dead_becomes_unknown,
                an_announced_attempt_is_in_progress_while_its_lease_lives,
                an_attempt_that_does_not_hold_is_rerun_by_an_operation_that_does,
                a_takeover_starts_unannounced,
            ]
            retention: run [
                a_released_record_is_forgotten_a_ttl_after_its_release,
                an_abandoned_record_is_forgotten_a_ttl_after_its_claim,
                an_abandoned_record_counts_up_to_its_last_instant,
                a_renewal_moves_the_retention,
                an_announced_record_is_never_forgotten,
                a_held_record_is_never_forgotten,
                an_unknown_record_is_never_forgotten,
                an_announced_attempt_that_ends_is_forgotten_like_others,
                a_held_attempt_that_is_released_is_forgotten_like_others,
                a_forgotten_and_a_removed_record_are_claimed_alike,
                the_epoch_grows_over_a_record_that_was_removed,
            ]
            size: run [
                a_value_of_one_byte_comes_back,
                a_value_of_many_pages_comes_back,
                a_value_of_a_few_megabytes_comes_back,
                a_value_at_the_limit_is_taken,
                a_value_over_the_limit_is_refused_and_the_claim_stays,
            ]
            validation: run [
                the_fingerprint_is_kept_from_claim_to_outcome,
                an_equal_request_gets_the_outcome,
                another_request_than_the_completed_one_is_a_mismatch,
                another_request_than_the_failed_one_is_a_mismatch,
                another_request_than_the_running_one_is_a_mismatch_before_it_is_in_progress,
                another_request_than_the_unknown_one_is_a_mismatch,
                the_same_owner_with_another_request_is_a_mismatch,
                a_corrected_request_follows_a_released_one,
                a_corrected_request_follows_an_abandoned_one,
                a_corrected_request_does_not_follow_an_announced_one,
                a_corrected_request_does_not_follow_a_held_one,
                an_equal_request_follows_an_announced_one_that_was_released,
                a_request_that_compares_nothing_agrees_with_every_record,
                a_record_that_compares_nothing_agrees_with_every_request,
                a_takeover_that_compares_nothing_leaves_no_fingerprint,
                an_expired_outcome_is_no_mismatch,
                fingerprints_are_compared_whole,
            ]
        }
    };
}
