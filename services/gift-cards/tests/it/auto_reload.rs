//! Automatic reloads of JoePass.

use gift_cards::ops::{prune_tombstones::prune_freezes, reload_joepass::reload_joepass};
use jiff::{SignedDuration, Timestamp};
use kit::ServiceError;
use proto::giftcards::v1::{
    AutoReload, GetAddFundsOptionsRequest, SetAutoReloadRequest, gift_cards_server::GiftCards as _,
    purchase_event::Change,
};
use testing::into_result;
use types::ConsumerId;

use crate::{
    charge_events::{method_changed, method_removed, returned, settled},
    fake_services::{BANK, CARD, DECLINED},
    harness::{Harness, consumer_removed, new_order, request_from_consumer, usd},
};

pub fn rule(method: &str) -> SetAutoReloadRequest {
    SetAutoReloadRequest {
        enabled: true,
        threshold: usd(1_000),
        amount: usd(2_500),
        payment_method_id: method.to_owned(),
        paused_until: String::new(),
    }
}

impl Harness {
    pub async fn set_rule(
        &self,
        consumer_id: ConsumerId,
        rule: SetAutoReloadRequest,
    ) -> Result<AutoReload, ServiceError> {
        let request = request_from_consumer(consumer_id, rule);
        into_result(self.grpc().set_auto_reload(request).await)
    }

    async fn saved_rule(&self, consumer_id: ConsumerId) -> AutoReload {
        let request = request_from_consumer(consumer_id, GetAddFundsOptionsRequest {});
        let options = into_result(self.grpc().get_add_funds_options(request).await);
        options.unwrap().auto_reload.unwrap()
    }

    /// Returns the purchase of the only charge.
    pub fn only_purchase(&self) -> proto::giftcards::v1::Purchase {
        let charges = self.services.charges();
        assert_eq!(charges.len(), 1);
        proto::giftcards::v1::Purchase {
            purchase_id: charges[0].subject.id.clone(),
            ..Default::default()
        }
    }

    pub async fn reload(&self) {
        while reload_joepass(&self.cx).await.unwrap() > 0 {}
    }

    /// Spends so much that a reload of 2500 cents is due, and reloads.
    async fn spend_and_reload(&self, consumer_id: ConsumerId) {
        let (available, _) = self.wallet(consumer_id).await;
        self.hold(new_order(), consumer_id, available).await.unwrap();
        self.reload().await;
    }

    async fn reload_events(&self) -> Vec<Change> {
        let events = self.purchase_events().await.into_iter();
        events.filter_map(|event| event.change).collect()
    }
}

#[tokio::test]
async fn joepass_is_reloaded_below_the_threshold() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_500).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.reload().await;
    assert!(harness.services.charges().is_empty(), "the balance suffices");
    harness.hold(new_order(), consumer, 500).await.unwrap();
    harness.reload().await;
    assert!(harness.services.charges().is_empty(), "not below the threshold");
    harness.hold(new_order(), consumer, 1).await.unwrap();
    harness.reload().await;
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (3_499, 501));
    assert_eq!(harness.services.paid(), 2_500);
    let events = harness.reload_events().await;
    assert!(matches!(&events[..], [Change::AutoReloaded(reloaded)] if reloaded.balance_minor_units == 3_499));
    assert_eq!(
        harness.transactions(consumer, 1, 0).await[0].title,
        "Automatic reload"
    );
    harness.close().await;
}

#[tokio::test]
async fn an_enabled_rule_applies_immediately() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_balance_that_falls_during_a_reload_is_checked_again() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(3_000).await;
    let rule = SetAutoReloadRequest {
        threshold: usd(4_000),
        ..rule(CARD)
    };
    harness.set_rule(consumer, rule).await.unwrap();
    let held = harness.services.hold_charges().await;
    let spend = async {
        while harness.services.charges().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        harness.hold(new_order(), consumer, 3_000).await.unwrap();
        drop(held);
    };
    tokio::join!(harness.reload(), spend);
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (5_000, 3_000));
    harness.close().await;
}

#[tokio::test]
async fn a_reload_below_the_threshold_is_not_repeated() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let rule = SetAutoReloadRequest {
        threshold: usd(4_000),
        ..rule(CARD)
    };
    harness.set_rule(consumer, rule).await.unwrap();
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}

#[tokio::test]
async fn reloads_are_limited_per_day_and_week() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.reload().await;
    harness.spend_and_reload(consumer).await;
    harness.spend_and_reload(consumer).await;
    assert_eq!(harness.services.charges().len(), 2);
    let events = harness.reload_events().await;
    assert!(
        matches!(&events[2..], [Change::AutoReloadFailed(failed)] if failed.reason == "AUTO_RELOAD_LIMIT"),
        "{events:?}"
    );
    // The rule is paused for a day, then two more, and the fifth on the third day.
    for expected in [3, 5] {
        harness.pass_time(SignedDuration::from_hours(25)).await;
        harness.reload().await;
        harness.spend_and_reload(consumer).await;
        harness.spend_and_reload(consumer).await;
        assert!(harness.services.charges().len() >= expected);
    }
    harness.pass_time(SignedDuration::from_hours(25)).await;
    harness.reload().await;
    assert_eq!(harness.services.charges().len(), 5);
    // After a week, all of them are over.
    harness.pass_time(SignedDuration::from_hours(8 * 24)).await;
    harness.reload().await;
    assert_eq!(harness.services.charges().len(), 6);
    harness.close().await;
}

#[tokio::test]
async fn a_declined_reload_pauses_the_rule_and_is_published() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(DECLINED)).await.unwrap();
    for _ in 0..3 {
        harness.reload().await;
        harness.pass_time(SignedDuration::from_mins(10)).await;
    }
    assert_eq!(harness.services.charges().len(), 1);
    let events = harness.reload_events().await;
    let [Change::AutoReloadFailed(failed)] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(failed.reason, "CARD_DECLINED");
    // With another card it works again, as soon as the consumer ends the pause.
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_reload_that_fails_after_another_method_was_chosen_leaves_the_rule() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(DECLINED)).await.unwrap();
    let held = harness.services.hold_charges().await;
    let change = async {
        while harness.services.count("AuthorizeCharge") == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        harness.set_rule(consumer, rule(CARD)).await.unwrap();
        drop(held);
    };
    tokio::join!(harness.reload(), change);
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    let events = harness.reload_events().await;
    assert!(matches!(&events[..], [Change::AutoReloaded(_)]), "{events:?}");
    harness.close().await;
}

#[tokio::test]
async fn a_reload_that_the_bank_returns_pauses_the_rule() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    harness.reload().await;
    harness.receive(returned(&harness.only_purchase())).await.unwrap();
    assert_eq!(harness.pauses_by_returns().await, [true]);
    harness.pass_time(SignedDuration::from_mins(10)).await;
    harness.reload().await;
    assert_eq!(harness.services.charges().len(), 1);
    harness.close().await;
}

#[tokio::test]
async fn a_reload_that_the_bank_returns_changes_no_longer_pause_and_no_rule_with_another_method() {
    for changes_method in [false, true] {
        let harness = Harness::start().await;
        let consumer = harness.consumer_with(0).await;
        harness.set_rule(consumer, rule(BANK)).await.unwrap();
        harness.reload().await;
        let until = harness.now() + SignedDuration::from_hours(7 * 24);
        let changed = if changes_method {
            rule(CARD)
        } else {
            SetAutoReloadRequest {
                paused_until: until.to_string(),
                ..rule(BANK)
            }
        };
        let saved = harness.set_rule(consumer, changed).await.unwrap();
        harness.receive(returned(&harness.only_purchase())).await.unwrap();
        assert_eq!(harness.pauses_by_returns().await, [false]);
        let found = harness.saved_rule(consumer).await;
        assert_eq!(found.paused_until, saved.paused_until);
        harness.close().await;
    }
}

#[tokio::test]
async fn a_pause_ends_by_itself() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let until = harness.now() + SignedDuration::from_hours(48);
    let paused = SetAutoReloadRequest {
        paused_until: until.to_string(),
        ..rule(CARD)
    };
    let saved = harness.set_rule(consumer, paused).await.unwrap();
    assert_eq!(saved.paused_until, until.to_string());
    harness.reload().await;
    harness.pass_time(SignedDuration::from_hours(47)).await;
    harness.reload().await;
    assert!(harness.services.charges().is_empty());
    harness.pass_time(SignedDuration::from_hours(1)).await;
    harness.reload().await;
    assert_eq!(harness.services.paid(), 2_500);
    harness.close().await;
}

#[tokio::test]
async fn a_pause_ends_within_31_days() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let paused = |until: Timestamp| SetAutoReloadRequest {
        paused_until: until.to_string(),
        ..rule(CARD)
    };
    let now = harness.now();
    let latest = now + SignedDuration::from_hours(24 * 31);
    for until in [
        "2020-01-01T00:00:00Z".parse().unwrap(),
        now,
        latest + SignedDuration::from_secs(1),
        "9999-12-01T00:00:00Z".parse().unwrap(),
    ] {
        let error = harness.set_rule(consumer, paused(until)).await.unwrap_err();
        assert_eq!(
            (&*error.reason, error.field.as_deref()),
            ("PAUSE_END_INVALID", Some("pausedUntil")),
            "{until}"
        );
    }
    let saved = harness.set_rule(consumer, paused(latest)).await.unwrap();
    assert_eq!(saved.paused_until, latest.to_string());
    harness.close().await;
}

#[tokio::test]
async fn a_changed_method_freezes_the_rule_for_a_day() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(2_000).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.reload().await;
    harness.receive(method_changed(consumer)).await.unwrap();
    harness.hold(new_order(), consumer, 2_000).await.unwrap();
    harness.reload().await;
    // Setting the rule again does not end the freeze.
    let rule = harness.set_rule(consumer, rule(CARD)).await.unwrap();
    assert!(!rule.frozen_until.is_empty());
    harness.reload().await;
    assert!(harness.services.charges().is_empty());
    harness.pass_time(SignedDuration::from_hours(24)).await;
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 2_000));
    harness.close().await;
}

#[tokio::test]
async fn a_rule_that_is_off_while_the_method_changes_is_frozen_when_it_is_turned_on() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let off = SetAutoReloadRequest {
        enabled: false,
        ..rule(CARD)
    };
    harness.set_rule(consumer, off).await.unwrap();
    harness.receive(method_changed(consumer)).await.unwrap();
    assert_frozen_for_a_day(harness, consumer).await;
}

#[tokio::test]
async fn a_first_rule_is_frozen_after_a_method_changed() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.receive(method_changed(consumer)).await.unwrap();
    assert_frozen_for_a_day(harness, consumer).await;
}

#[tokio::test]
async fn a_first_rule_with_a_new_method_is_frozen_before_its_event_arrives() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.services.set_methods_added_at(harness.now());
    assert_frozen_for_a_day(harness, consumer).await;
}

async fn assert_frozen_for_a_day(harness: Harness, consumer: ConsumerId) {
    let saved = harness.set_rule(consumer, rule(CARD)).await.unwrap();
    let until = harness.now() + SignedDuration::from_hours(24);
    assert_eq!(saved.frozen_until, until.to_string());
    harness.reload().await;
    assert!(harness.services.charges().is_empty());
    harness.pass_time(SignedDuration::from_hours(24)).await;
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_freeze_is_deleted_when_it_has_ended_or_the_consumer_is_removed() {
    let harness = Harness::start().await;
    let consumers = [harness.consumer_with(0).await, harness.consumer_with(0).await];
    for consumer in consumers {
        harness.receive(method_changed(consumer)).await.unwrap();
    }
    harness.receive(consumer_removed(consumers[0])).await.unwrap();
    harness.receive(method_changed(consumers[0])).await.unwrap();
    assert_eq!(prune_freezes(&harness.cx).await.unwrap(), 0);
    harness.advance_clock(SignedDuration::from_hours(24));
    assert_eq!(prune_freezes(&harness.cx).await.unwrap(), 1);
    harness.close().await;
}

#[tokio::test]
async fn one_bank_debit_runs_at_a_time() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    for _ in 0..3 {
        harness.reload().await;
        harness.pass_time(SignedDuration::from_mins(10)).await;
    }
    assert_eq!(harness.services.charges().len(), 1);
    harness.receive(settled(&harness.only_purchase())).await.unwrap();
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_bank_debit_that_settles_after_more_than_a_week_is_not_repeated() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    harness.reload().await;
    harness.pass_time(SignedDuration::from_hours(8 * 24)).await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    harness.reload().await;
    assert_eq!(harness.services.charges().len(), 1);
    harness.receive(settled(&harness.only_purchase())).await.unwrap();
    harness.reload().await;
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_rule_is_turned_off_after_its_method_was_removed() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(2_000).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.services.remove_method(CARD);
    let enabled = harness.set_rule(consumer, rule(CARD)).await;
    assert_eq!(enabled.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN");
    let disabled = |method| SetAutoReloadRequest {
        enabled: false,
        ..rule(method)
    };
    let unknown = harness.set_rule(consumer, disabled("pay_x")).await;
    assert_eq!(unknown.unwrap_err().reason, "PAYMENT_METHOD_UNKNOWN");
    let saved = harness.set_rule(consumer, disabled(CARD)).await.unwrap();
    assert!(!saved.enabled);
    harness.close().await;
}

#[tokio::test]
async fn the_removal_of_a_method_turns_off_the_rule_that_uses_it() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(2_000).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    for (method, is_enabled) in [("pay_other", true), (CARD, false), (CARD, false)] {
        harness.receive(method_removed(consumer, method)).await.unwrap();
        let request = request_from_consumer(consumer, GetAddFundsOptionsRequest {});
        let options = into_result(harness.grpc().get_add_funds_options(request).await).unwrap();
        assert_eq!(options.auto_reload.unwrap().enabled, is_enabled, "{method}");
    }
    harness.close().await;
}

#[tokio::test]
async fn a_reload_with_a_removed_method_turns_the_rule_off_and_notifies_once() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.services.remove_method(CARD);
    for _ in 0..3 {
        harness.reload().await;
        harness.advance_clock(SignedDuration::from_hours(25));
        harness.pass_time(SignedDuration::from_hours(25)).await;
    }
    let events = harness.reload_events().await;
    let [Change::AutoReloadFailed(failed)] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(
        (&*failed.reason, failed.turned_off, &*failed.paused_until),
        ("PAYMENT_METHOD_UNKNOWN", true, "")
    );
    let request = request_from_consumer(consumer, GetAddFundsOptionsRequest {});
    let options = into_result(harness.grpc().get_add_funds_options(request).await).unwrap();
    assert!(!options.auto_reload.unwrap().enabled);
    assert!(harness.services.charges().is_empty());
    harness.close().await;
}

/// The event can arrive before the response of payments to the reload that found the method missing.
#[tokio::test]
async fn a_reload_that_fails_after_the_event_about_its_method_reports_that_the_rule_is_off() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(CARD)).await.unwrap();
    harness.services.remove_method(CARD);
    let held = harness.services.hold_charges().await;
    let removal = async {
        while harness.services.count("AuthorizeCharge") == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        harness.receive(method_removed(consumer, CARD)).await.unwrap();
        drop(held);
    };
    tokio::join!(harness.reload(), removal);
    let events = harness.reload_events().await;
    let [Change::AutoReloadFailed(failed)] = &events[..] else {
        panic!("{events:?}")
    };
    assert!(failed.turned_off);
    harness.close().await;
}

#[tokio::test]
async fn rules_are_checked() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let with = |change: fn(&mut SetAutoReloadRequest)| {
        let mut rule = rule(CARD);
        change(&mut rule);
        rule
    };
    for (rule, reason) in [
        (with(|it| it.amount = usd(999)), "AMOUNT_TOO_SMALL"),
        (with(|it| it.amount = usd(50_001)), "AMOUNT_TOO_LARGE"),
        (with(|it| it.threshold = usd(20_001)), "THRESHOLD_INVALID"),
        (with(|it| it.threshold = usd(-1)), "THRESHOLD_INVALID"),
        (with(|it| it.threshold = usd(0)), "THRESHOLD_INVALID"),
        (
            with(|it| it.payment_method_id = "pay_x".to_owned()),
            "PAYMENT_METHOD_UNKNOWN",
        ),
        (with(|it| it.paused_until = "later".to_owned()), "MALFORMED"),
    ] {
        assert_eq!(harness.set_rule(consumer, rule).await.unwrap_err().reason, reason);
    }
    let never = harness.set_rule(consumer, with(|it| it.threshold = usd(0))).await;
    let never = never.unwrap_err();
    assert_eq!(
        (&*never.message, never.field.as_deref()),
        ("Choose a balance between $0.01 and $200.00.", Some("threshold"))
    );
    let disabled = with(|it| (it.enabled, it.threshold) = (false, usd(0)));
    assert!(!harness.set_rule(consumer, disabled).await.unwrap().enabled);
    let lowest = with(|it| it.threshold = usd(1));
    assert!(harness.set_rule(consumer, lowest).await.unwrap().enabled);
    harness.receive(consumer_removed(consumer)).await.unwrap();
    assert_eq!(
        harness.set_rule(consumer, rule(CARD)).await.unwrap_err().reason,
        "FORBIDDEN"
    );
    harness.close().await;
}
