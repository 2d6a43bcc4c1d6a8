//! Leases and times at which work is due are compared with times of the database only: replicas can have different clocks.

use std::sync::Arc;

use gift_cards::ops::reload_joepass::reload_joepass;
use jiff::SignedDuration;
use types::ConsumerId;

use crate::{
    auto_reload::rule,
    fake_services::BANK,
    gift_cards::{FakeSender, for_someone},
    harness::{Harness, at},
};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

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
