//! Leases and times at which work is due are compared with times of the database only: replicas can have different clocks.

use std::sync::Arc;

use gift_cards::ops::reload_joepass::reload_joepass;
use jiff::SignedDuration;
use types::ConsumerId;

use crate::{
    auto_reload::rule,
    fake_services::{BANK, CARD},
    gift_cards::{FakeSender, for_someone},
    harness::{Harness, at, new_order},
};

const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// After this time, the clock of a test is ahead of that of the database.
const CENTURY: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);

#[tokio::test]
async fn a_replica_with_a_fast_clock_does_not_repeat_a_message_too_early() {
    let harness = Harness::start().await;
    harness
        .buy(ConsumerId::new(at()), for_someone("key-of-a-test"))
        .await
        .unwrap();
    let sender = Arc::new(FakeSender::default());
    *sender.is_down.lock().unwrap() = true;
    assert_eq!(harness.deliver(&sender).await, 1);
    harness.advance_clock(HOUR);
    assert_eq!(harness.deliver(&sender).await, 0);
    harness.pass_time(HOUR).await;
    assert_eq!(harness.deliver(&sender).await, 1);
    harness.close().await;
}

#[tokio::test]
async fn a_message_is_due_at_once_for_a_replica_with_a_slow_clock() {
    let harness = Harness::start().await;
    harness
        .buy(ConsumerId::new(at()), for_someone("key-of-a-test"))
        .await
        .unwrap();
    harness.advance_clock(-HOUR);
    assert_eq!(harness.deliver(&Arc::default()).await, 1);
    harness.close().await;
}

#[tokio::test]
async fn a_replica_with_a_fast_clock_does_not_check_a_rule_too_early() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    harness.reload().await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    assert_eq!(reload_joepass(&harness.cx).await.unwrap(), 1);
    // The rule is checked again in a minute, because a reload runs.
    harness.advance_clock(HOUR);
    assert_eq!(reload_joepass(&harness.cx).await.unwrap(), 0);
    harness.pass_time(HOUR).await;
    assert_eq!(reload_joepass(&harness.cx).await.unwrap(), 1);
    harness.close().await;
}

#[tokio::test]
async fn a_rule_is_due_at_once_after_a_hold_by_a_replica_with_a_fast_clock() {
    for is_being_checked in [false, true] {
        let harness = Harness::start().await;
        let consumer = harness.consumer_with(1_500).await;
        harness.set_rule(consumer, rule(CARD)).await.unwrap();
        harness.reload().await;
        if is_being_checked {
            harness
                .execute("UPDATE auto_reload_rules SET due_at = now() + interval '1 minute'")
                .await;
        }
        harness.advance_clock(CENTURY);
        harness.hold(new_order(), consumer, 1_000).await.unwrap();
        assert_eq!(reload_joepass(&harness.cx).await.unwrap(), 1);
        assert_eq!(harness.wallet(consumer).await, (3_000, 1_000));
        harness.close().await;
    }
}
