use types::{ConsumerId, Money, OrderId, PaymentMethodId, PurchaseId, RecoveryId};
use uuid::Uuid;

use super::*;
use crate::domain::charge::{Capture, ChargeState, ChargeTerms, TargetState};
use crate::domain::payment_method::MethodKind;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;
const AMOUNT: i64 = 1_250;

/// An order that was paid by card.
fn settled() -> AuditedCharge {
    let terms = ChargeTerms {
        consumer_id: None,
        payment_method_id: Some(PaymentMethodId::from(Uuid::nil())),
        method_kind: MethodKind::Card,
        provider_customer_id: "cus_1".to_owned(),
        provider_method_id: "pm_1".to_owned(),
        amount: Money::usd(AMOUNT),
        capture: Capture::Later,
    };
    let subject = ChargeSubject::Order(OrderId::from(Uuid::nil()));
    let mut charge = Charge::new(ChargeId::from(Uuid::nil()), subject, terms);
    charge.state = ChargeState::Succeeded;
    charge.target_state = TargetState::Captured;
    charge.provider_id = Some("pi_1".to_owned());
    AuditedCharge {
        charge,
        is_fulfilled: true,
        updated_at: NOW,
        refunds: RefundTotals::default(),
        disputes: DisputeTotals::default(),
        debt: None,
        recovery: None,
        events: vec![
            event(EventKind::Authorized, AMOUNT),
            event(EventKind::Settled, AMOUNT),
        ],
        unfinished_effects: Vec::new(),
    }
}

const fn event(kind: EventKind, amount: i64) -> EventTotal {
    EventTotal {
        kind,
        count: 1,
        amount,
        min_amount: amount,
        max_amount: amount,
    }
}

/// Returns the differences after a change of the settled order.
fn differences(change: impl FnOnce(&mut AuditedCharge)) -> Vec<String> {
    let mut audited = settled();
    change(&mut audited);
    let findings = audited.audit(NOW + std::time::Duration::from_hours(1));
    findings
        .iter()
        .map(|finding| finding.difference.to_string())
        .collect()
}

#[test]
fn a_settled_order_is_consistent() {
    assert_eq!(differences(|_| {}), [""; 0]);
}

#[test]
fn a_changed_amount_differs_from_the_events() {
    let changed = differences(|audited| {
        audited.charge.terms.as_mut().unwrap().amount = Money::usd(AMOUNT + 1);
    });
    assert_eq!(
        changed,
        [
            "events authorized: expected amount 1251",
            "events settled: expected amount 1251"
        ]
    );
}

#[test]
fn a_refunded_amount_without_a_refund_is_a_difference() {
    assert_eq!(
        differences(|audited| audited.charge.refunded_minor_units = 400),
        ["refunded amount: expected 0, found 400"]
    );
    let unpublished = differences(|audited| {
        audited.charge.refunded_minor_units = 400;
        audited.refunds.accepted = 400;
    });
    assert_eq!(unpublished, ["amount of events refunded: expected 400, found 0"]);
    let refunded = differences(|audited| {
        audited.charge.refunded_minor_units = 400;
        audited.refunds.accepted = 400;
        audited.refunds.failed = 100;
        audited.events.push(event(EventKind::Refunded, 300));
        audited.events.push(event(EventKind::RefundFailed, 100));
    });
    assert_eq!(refunded, [""; 0]);
}

#[test]
fn a_purchase_is_neither_held_nor_made() {
    let held = differences(|audited| {
        audited.charge.subject = ChargeSubject::TopUp(PurchaseId::from(Uuid::nil()));
    });
    assert_eq!(held, ["only an order is captured later", "only an order is made"]);
}

#[test]
fn an_effect_that_is_due_must_be_planned() {
    let released = |audited: &mut AuditedCharge| audited.charge.target_state = TargetState::Released;
    assert_eq!(differences(released), ["effect refund is due but not planned"]);
    let planned = differences(|audited| {
        released(audited);
        audited.unfinished_effects.push("refund".to_owned());
    });
    assert_eq!(planned, [""; 0]);
    let recent = differences(|audited| {
        released(audited);
        audited.updated_at = NOW + std::time::Duration::from_hours(1);
    });
    assert_eq!(recent, [""; 0]);
}

#[test]
fn a_returned_payment_of_an_order_that_was_made_is_a_debt_of_its_amount() {
    let returned = |audited: &mut AuditedCharge, debt: i64| {
        audited.charge.state = ChargeState::Returned;
        audited.charge.terms.as_mut().unwrap().method_kind = MethodKind::Bank;
        audited.events.push(event(EventKind::Returned, AMOUNT));
        audited.events.push(event(EventKind::DebtCreated, debt));
        audited.debt = Some(AuditedDebt {
            amount: debt,
            penalty_fee: 500,
            is_fee_waived: false,
            is_recovered: false,
            is_written_off: false,
            succeeded_recoveries: 0,
        });
    };
    assert_eq!(differences(|audited| returned(audited, AMOUNT)), [""; 0]);
    assert_eq!(
        differences(|audited| returned(audited, 400)),
        ["debt: expected 1250, found 400"]
    );
    let missing = differences(|audited| {
        returned(audited, AMOUNT);
        audited.debt = None;
    });
    assert_eq!(
        missing,
        [
            "events debt_created: unexpected number 1",
            "debt: expected 1250, found 0"
        ]
    );
    let paid = differences(|audited| {
        returned(audited, AMOUNT);
        audited.debt.as_mut().unwrap().is_recovered = true;
    });
    assert_eq!(paid, ["successful recoveries: expected 1, found 0"]);
    let published_again = |audited: &mut AuditedCharge| {
        returned(audited, AMOUNT);
        let created = audited.events.last_mut().unwrap();
        created.count = 2;
        created.amount = 2 * AMOUNT;
    };
    assert_eq!(differences(published_again), [""; 0]);
    let published_twice = differences(|audited| {
        published_again(audited);
        audited.charge.terms.as_mut().unwrap().consumer_id = Some(ConsumerId::from(Uuid::nil()));
    });
    assert_eq!(published_twice, ["events debt_created: unexpected number 2"]);
    let unpublished = differences(|audited| {
        returned(audited, AMOUNT);
        audited.events.pop();
    });
    assert_eq!(unpublished, ["events debt_created: unexpected number 0"]);
    let written_off = |audited: &mut AuditedCharge| {
        returned(audited, AMOUNT);
        audited.debt.as_mut().unwrap().is_written_off = true;
    };
    assert_eq!(differences(written_off), [""; 0]);
    let unpublished = differences(|audited| {
        written_off(audited);
        audited
            .events
            .retain(|event| event.kind != EventKind::DebtCreated);
    });
    assert_eq!(unpublished, [""; 0]);
}

#[test]
fn the_payment_of_a_failed_attempt_is_given_back() {
    let late = |audited: &mut AuditedCharge, planned: i64| {
        audited.charge.subject = ChargeSubject::Debt(RecoveryId::from(Uuid::nil()));
        audited.charge.target_state = TargetState::Released;
        audited.charge.terms.as_mut().unwrap().capture = Capture::Now;
        audited.is_fulfilled = false;
        audited.refunds.planned = planned;
        audited.recovery = Some(AuditedRecovery {
            state: "failed".to_owned(),
            debt_total: AMOUNT,
            is_debt_recovered: false,
        });
    };
    assert_eq!(differences(|audited| late(audited, AMOUNT)), [""; 0]);
    for planned in [0, AMOUNT - 1] {
        assert_eq!(
            differences(|audited| late(audited, planned)),
            ["the state of the recovery differs"]
        );
    }
    let waits = differences(|audited| {
        late(audited, 0);
        audited.charge.state = ChargeState::RequiresAction;
        audited.events.clear();
        audited.unfinished_effects.push("void".to_owned());
    });
    assert_eq!(waits, [""; 0]);
}
