//! The cases about whole operations over a store, by subject, and how they are run.

/// Hands the list to the macro in brackets, after the tokens that follow it.
#[doc(hidden)]
#[macro_export]
macro_rules! __call_cases {
    ([$($then:tt)*] $($with:tt)*) => {
        $($then)*! { $($with)*
            call_announced: run [
                an_announced_effect_is_recorded_before_the_body_goes_on,
                an_announcement_is_one_write_however_often_it_is_made,
                an_error_after_an_announcement_leaves_the_outcome_unknown,
                a_panic_after_an_announcement_leaves_the_outcome_unknown,
                a_panic_before_an_announcement_frees_the_key,
                a_call_dropped_after_an_announcement_leaves_the_outcome_unknown,
                a_dropped_call_of_an_operation_that_holds_leaves_the_outcome_unknown,
                a_panic_of_an_operation_that_holds_leaves_the_outcome_unknown,
                an_error_of_an_operation_that_holds_frees_the_key,
                an_announcement_that_is_refused_stops_the_body_before_its_effect,
                outside_of_a_body_nothing_is_announced,
            ]
            call_by_hand: run [
                an_unknown_outcome_is_resolved_as_completed,
                an_unknown_outcome_is_resolved_as_not_applied,
                a_dead_announced_attempt_is_resolved_without_a_call_in_between,
                nothing_is_resolved_while_the_lease_lives,
                nothing_is_resolved_while_a_probe_may_be_asking,
                what_is_known_is_not_resolved,
                what_has_changed_since_it_was_looked_at_is_not_resolved,
                an_unknown_outcome_is_resolved_as_failed,
                nothing_is_recorded_by_hand_for_less_than_hosts_may_differ,
                what_is_resolved_or_marked_keeps_its_tombstone,
                an_attempt_is_released_and_its_owner_refused,
                what_may_have_happened_is_not_released,
                only_the_attempt_that_was_looked_at_is_released,
                work_that_was_done_before_is_recorded,
                work_whose_value_nobody_knows_is_recorded,
                a_record_that_stands_is_not_marked_completed,
                an_unknown_outcome_is_not_marked_completed,
                an_evicted_record_runs_again,
                a_handle_that_is_switched_off_runs_every_body_and_asks_nothing,
            ]
            call_cache: run [
                a_replay_from_the_cache_makes_no_call_of_the_store,
                an_outcome_that_was_read_is_kept_too,
                a_terminal_error_is_kept_too,
                a_mismatch_is_found_and_leaves_the_cache_as_it_is,
                an_outcome_past_its_ttl_is_not_replayed_from_the_cache,
                an_outcome_past_the_age_of_the_cache_is_read_again,
                an_evicted_record_is_forgotten_by_the_cache,
                an_outcome_recorded_by_hand_replaces_the_one_in_the_cache,
                what_has_no_outcome_is_never_in_the_cache,
                a_full_cache_asks_the_store,
                without_a_cache_every_replay_asks_the_store,
            ]
            call_classes: run [
                a_terminal_error_is_replayed_and_the_body_does_not_run,
                a_terminal_error_makes_one_claim_and_one_write,
                a_terminal_error_is_replayed_as_long_as_an_outcome,
                a_retryable_error_lets_the_next_call_run,
                a_retryable_error_after_an_announcement_lets_the_next_call_run,
                an_error_that_does_not_know_holds_the_key,
                an_unknown_outcome_inside_a_body_makes_its_own_unknown,
                a_refused_call_inside_a_body_lets_the_next_call_run,
                a_terminal_error_that_is_not_recorded_does_not_run_again,
                a_recorded_error_that_is_not_read_any_more_does_not_run_again,
            ]
            call_codec: run [
                a_codec_encodes_what_is_recorded_and_decodes_it,
                a_value_that_a_codec_changes_is_not_kept,
                a_value_that_a_codec_does_not_encode_is_not_kept,
                a_value_that_a_codec_does_not_decode_is_not_kept,
                a_recorded_value_that_a_codec_does_not_read_is_an_error_and_not_run_again,
                a_panic_of_a_codec_does_not_run_the_body_again,
                a_value_of_an_earlier_version_is_read_by_the_migration,
                a_value_of_an_earlier_version_without_a_migration_is_an_error_and_not_run_again,
                a_value_of_a_later_version_is_an_error_and_not_run_again,
                an_error_of_a_migration_is_told_and_the_body_does_not_run,
            ]
            call_expiry: run [
                after_the_ttl_the_same_call_runs_again,
                after_the_ttl_another_request_may_use_the_key,
                two_operations_keep_their_outcomes_as_long_as_each_says,
                a_clock_that_was_set_back_runs_nothing_again,
                a_late_call_is_told_expired_as_long_as_the_tombstone_stands,
                a_late_call_without_a_tombstone_runs,
            ]
            call_failure: run [
                the_error_of_the_body_comes_back_as_it_is,
                a_failed_call_leaves_a_released_record,
                after_a_failure_the_next_call_runs_the_body_again,
                a_failed_call_makes_one_claim_and_one_write,
                the_attempt_after_a_failure_is_the_second,
                a_corrected_request_after_a_failure_runs,
                a_panic_releases_the_key_and_goes_on_unchanged,
                a_call_that_is_dropped_leaves_the_key_to_its_lease,
                the_errors_of_this_library_inside_a_body_do_not_run_it_again,
            ]
            call_first: run [
                the_first_call_runs_the_body_and_returns_its_value,
                the_first_call_makes_one_claim_and_one_write,
                while_the_body_runs_the_record_is_in_progress_and_has_no_value,
                after_the_body_the_record_is_completed_and_its_ttl_begins,
                a_call_without_a_ttl_is_refused_before_the_store_is_touched,
                the_map_for_duplicates_is_not_used_on_the_first_call,
                a_body_without_a_value_is_recorded,
                a_call_over_a_removed_record_is_a_first_call,
                a_report_tells_what_happened,
            ]
            call_flight: run [
                many_followers_get_the_outcome_of_their_leader_without_a_look_at_the_store,
                followers_of_a_leader_that_is_dropped_go_to_the_store,
                followers_of_a_leader_that_fails_go_to_the_store,
                another_request_does_not_follow,
                a_follower_waits_no_longer_than_it_says,
                a_call_that_does_not_wait_does_not_follow,
                a_follower_gets_the_error_that_its_leader_has_recorded,
            ]
            call_in_progress: run [
                a_call_while_another_runs_is_refused_and_its_body_does_not_run,
                the_error_in_progress_says_which_key_and_when_to_retry,
                a_refused_call_makes_one_claim_and_no_write,
                a_call_right_before_the_lease_is_dead_is_refused,
                a_call_when_the_lease_is_dead_takes_over,
                a_handle_with_a_larger_skew_budget_waits_longer_before_it_takes_over,
                a_lease_that_nobody_could_trust_is_refused,
                a_deadline_caps_the_lease,
                a_call_whose_deadline_is_too_near_does_not_run,
                an_unknown_outcome_is_told_and_the_body_does_not_run,
            ]
            call_key: run [
                the_stored_key_can_be_read_by_a_person,
                parts_are_told_apart_by_where_they_end,
                parts_are_told_apart_by_their_order,
                two_operations_with_equal_parts_both_run,
                zero_and_false_are_values,
                numbers_beyond_what_a_double_holds_are_told_apart,
                texts_are_told_apart_byte_by_byte,
                very_long_parts_are_told_apart,
                namespaces_are_told_apart,
                two_definitions_of_one_name_are_an_error_before_the_body_runs,
                the_key_is_made_before_the_body_changes_its_input,
                two_operations_with_different_settings_share_a_store,
            ]
            call_lease: run [
                a_body_longer_than_its_lease_keeps_others_out,
                a_body_longer_than_its_ttl_keeps_others_out,
                a_refused_renewal_stops_the_body,
                a_body_that_was_taken_over_is_stopped_and_the_new_owner_is_not_disturbed,
                a_process_that_stood_still_beyond_its_lease_does_not_go_on,
                a_body_that_ends_after_a_takeover_carries_its_own_value,
                a_body_that_ends_after_another_owner_finished_gets_that_outcome,
                a_body_whose_record_was_removed_does_not_bring_it_back,
            ]
            call_missing_key: run [
                an_absent_part_is_an_error_before_the_store_is_touched,
                an_empty_part_is_an_error_before_the_store_is_touched,
                a_key_without_any_part_is_an_error_before_the_store_is_touched,
                two_incomplete_calls_are_two_errors_and_a_complete_one_runs,
                a_present_optional_part_is_like_any_other,
            ]
            call_nested: run [
                an_operation_inside_another_has_a_record_of_its_own,
                an_inner_outcome_survives_the_failure_of_the_outer_body,
                a_body_that_calls_its_own_key_is_told_instead_of_waiting_for_itself,
                a_store_in_scope_serves_the_operations_that_name_none,
            ]
            call_reconcile: run [
                an_effect_that_happened_is_the_outcome,
                an_effect_that_did_not_happen_lets_the_body_run,
                a_probe_that_cannot_find_out_is_asked_again_when_the_error_says,
                an_error_of_the_probe_is_that_of_the_call,
                a_terminal_error_of_the_probe_is_what_the_attempt_has_failed_with,
                a_probe_that_does_not_end_is_dropped_in_time,
                of_two_callers_one_finds_out,
                a_probe_is_told_which_attempt_it_is_about,
                nobody_is_asked_before_the_lease_is_dead,
                nobody_is_asked_before_the_effect_may_have_ended,
                an_announced_attempt_that_died_is_found_out_about_in_one_claim_and_one_write,
                the_map_for_duplicates_is_used_on_what_was_found,
                nobody_is_asked_where_the_outcome_is_known_or_another_request_is_made,
                another_request_is_a_mismatch_and_nobody_is_asked,
                a_probe_that_panics_leaves_it_to_a_later_call,
                a_waiting_call_finds_out_when_the_lease_is_dead,
            ]
            call_replay: run [
                a_duplicate_gets_the_recorded_value_and_the_body_does_not_run,
                every_duplicate_within_the_ttl_gets_the_same_value,
                a_replay_makes_one_claim_and_nothing_else,
                a_replay_changes_nothing_in_the_record,
                a_replay_by_a_handle_opened_later_gets_the_same_value,
                a_replay_has_the_declared_type,
                a_string_comes_back_exactly,
                empty_and_false_values_come_back,
                numbers_come_back_exactly,
                a_value_that_cannot_be_carried_back_is_not_kept_and_not_run_again,
                a_duplicate_may_be_told_already_completed_instead,
                duplicates_get_the_mapped_value_and_the_record_keeps_the_first,
                the_map_is_used_for_an_empty_value_too,
                the_map_is_not_used_where_there_is_no_outcome,
                a_replay_tells_the_times_of_the_record,
                two_equal_calls_inside_one_body_make_one_record,
                a_recorded_value_of_another_type_is_an_error_and_not_run_again,
            ]
            call_sweep: run [
                a_sweep_asks_about_the_unknown_and_the_dead_announced_ones_of_its_operation,
                a_sweep_keeps_to_its_namespace,
                a_sweep_counts_what_was_found,
                a_sweep_keeps_the_tombstone_of_the_operation,
                a_sweep_records_what_an_attempt_has_failed_with,
                the_unknown_outcomes_of_an_operation_are_listed,
                a_sweep_leaves_alone_what_somebody_else_finds_out_about,
                a_sweep_asks_nobody_before_the_lease_is_dead,
                a_sweep_gives_every_probe_a_lease_and_goes_on,
                a_sweep_reaches_more_than_a_page,
            ]
            call_together: run_threaded [
                of_two_calls_at_once_one_runs,
                of_many_calls_at_once_one_runs,
                many_waiting_calls_at_once_get_one_outcome,
                of_many_calls_at_once_on_an_abandoned_key_one_runs,
                calls_through_two_handles_run_once,
                many_calls_of_different_keys_all_run_and_then_all_replay,
                calls_that_fail_leave_the_key_to_the_next,
                many_calls_through_one_small_cache_run_once_per_key,
            ]
            call_validation: run [
                a_changed_request_is_a_mismatch_and_the_body_does_not_run,
                a_changed_request_leaves_the_record_as_it_is,
                a_changed_request_while_the_first_runs_is_a_mismatch,
                the_mismatch_says_since_when_and_nothing_of_the_request,
                a_mismatch_is_seen_through_a_handle_opened_later,
                without_validation_a_changed_request_gets_the_outcome,
                the_fingerprint_is_recorded_at_the_claim_and_kept_at_the_end,
                the_order_of_fields_and_entries_does_not_count,
                numbers_are_compared_exactly,
                zero_has_one_sign,
                texts_are_compared_byte_by_byte,
                a_request_that_cannot_be_compared_is_an_error_before_the_store_is_touched,
                an_absent_field_equals_an_empty_one,
                an_excluded_field_does_not_count,
            ]
            call_values: run [
                a_result_without_a_value_comes_back,
                the_smallest_values_come_back,
                the_largest_numbers_come_back,
                floats_come_back_bit_by_bit,
                nested_types_come_back,
                what_json_cannot_carry_is_not_kept_and_not_run_again,
                keys_that_are_not_text_come_back_where_the_codec_carries_them,
                bytes_come_back_where_the_codec_carries_them,
            ]
            call_wait: run [
                a_waiting_call_gets_the_outcome_when_the_owner_finishes,
                a_waiting_call_is_told_in_progress_at_the_end_of_its_wait,
                a_waiting_call_takes_over_when_the_owner_dies,
                a_waiting_call_runs_when_the_owner_fails,
                a_waiting_call_is_told_when_the_outcome_is_unknown,
                a_waiting_call_is_told_when_the_record_is_removed_and_runs,
                a_changed_request_does_not_wait,
                a_free_key_and_a_finished_one_need_no_wait,
            ]
        }
    };
}
