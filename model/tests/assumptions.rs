//! What the protocol assumes of the world, each shown by a world in which it is not so.

use idempotency_model::{Config, Property, Protocol, Removal, worlds};

#[track_caller]
fn breaks(config: Config, property: Property) {
    let found = Protocol::new(config).explore().violations;
    assert!(found.iter().any(|(name, _)| *name == format!("{property:?}")), "{found:#?}");
}

#[test]
fn clocks_that_differ_by_more_than_two_skew_budgets_let_two_bodies_run() {
    let world = worlds::named("clocks differ by two budgets");
    breaks(Config { offsets: vec![-1_500, 1_500], ..world }, Property::OneBody);
}

#[test]
fn a_message_that_is_under_way_for_longer_than_its_record_is_kept_lets_the_epoch_fall() {
    let world = worlds::named("records are forgotten");
    breaks(Config { message_life: 4, ..world }, Property::EpochGrows);
}

#[test]
fn a_ttl_within_two_skew_budgets_lets_the_epoch_fall_even_if_no_message_is_late() {
    let world = worlds::named("records are forgotten");
    let world = Config { ttl: 1, message_life: 0, duplicates: 0, offsets: vec![-500, 500], ..world };
    breaks(world, Property::EpochGrows);
}

#[test]
fn an_operator_who_removes_a_record_while_its_body_runs_lets_a_second_one_run() {
    let world = worlds::named("a removed record meets late messages");
    breaks(Config { removal: Removal::Carelessly, ..world }, Property::OneBody);
}
