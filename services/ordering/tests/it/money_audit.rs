//! The audit of money: differences between orders, charges and holds in each direction, and what the audit repairs.

use std::sync::{Arc, Mutex};

use kit::audit::{audit_all, audit_due};
use ordering::{
    domain::{
        money_audit::MoneyDifference::{
            self, ChargeMissing, ChargeNotReleased, ChargeWithoutOrder, HeldTooLong, HoldMissing,
            HoldNotReleased, HoldWithoutOrder,
        },
        order::OrderRecord,
        status::Status,
        tender::Tender,
    },
    ops::audit_money::MoneyAudit,
};
use proto::{
    giftcards::v1::{CloseHoldRequest, Hold, HoldState, ListHoldsRequest, ListHoldsResponse},
    payments::v1::{
        Charge, ChargePurpose, ChargeState, ChargeSubject, CloseChargeRequest, ListChargesRequest,
        ListChargesResponse,
    },
};
use types::{ChargeId, Clock, OrderId, SystemClock};

use crate::{
    fake_services::{FakeServices, usd},
    harness::Harness,
};

const TOTAL: i64 = 1_240;

/// The charges and holds that the fakes of payments and gift-cards have.
#[derive(Clone, Default)]
struct Money {
    charges: Arc<Mutex<Vec<Charge>>>,
    holds: Arc<Mutex<Vec<Hold>>>,
}

impl Money {
    fn serve(&self, services: &FakeServices) {
        let charges = Arc::clone(&self.charges);
        services.on_request("ListCharges", move |request: ListChargesRequest| {
            let all = charges.lock().unwrap().clone();
            let listed = all.into_iter().filter(|charge| {
                let id = &charge.subject.as_ref().unwrap().id;
                (request.subject_ids.is_empty() || request.subject_ids.contains(id))
                    && charge.charge_id > request.after
            });
            ListChargesResponse {
                charges: listed.collect(),
            }
        });
        let holds = Arc::clone(&self.holds);
        services.on_request("ListHolds", move |request: ListHoldsRequest| {
            let all = holds.lock().unwrap().clone();
            let listed = all.into_iter().filter(|hold| {
                (request.order_ids.is_empty() || request.order_ids.contains(&hold.order_id))
                    && hold.order_id > request.after
            });
            ListHoldsResponse {
                holds: listed.collect(),
            }
        });
        let charges = Arc::clone(&self.charges);
        services.on_request("CloseCharge", move |request: CloseChargeRequest| {
            let mut charges = charges.lock().unwrap();
            let closed = charges
                .iter_mut()
                .find(|charge| charge.subject == request.subject);
            if let Some(charge) = closed {
                charge.set_state(ChargeState::Closed);
            }
            Charge::default()
        });
        let holds = Arc::clone(&self.holds);
        services.on_request("CloseHold", move |request: CloseHoldRequest| {
            let mut holds = holds.lock().unwrap();
            if let Some(hold) = holds.iter_mut().find(|hold| hold.order_id == request.order_id) {
                hold.set_state(HoldState::Released);
            }
            Hold::default()
        });
    }

    fn add_charge(&self, harness: &Harness, order_id: OrderId, state: ChargeState) {
        let subject = ChargeSubject {
            purpose: ChargePurpose::Order.into(),
            id: order_id.to_string(),
        };
        self.charges.lock().unwrap().push(Charge {
            charge_id: ChargeId::new(harness.now()).to_string(),
            state: state.into(),
            amount: Some(usd(TOTAL)),
            subject: Some(subject),
            ..Charge::default()
        });
    }

    fn add_hold(&self, order_id: OrderId, state: HoldState) {
        self.holds.lock().unwrap().push(Hold {
            order_id: order_id.to_string(),
            state: state.into(),
            amount: Some(usd(TOTAL)),
            available: None,
        });
    }
}

async fn start() -> (Harness, Money) {
    let now = crate::harness::START.parse().unwrap();
    let services = FakeServices::start(types::StoreId::new(now), now).await;
    let money = Money::default();
    money.serve(&services);
    (Harness::with_services(&services).await, money)
}

/// Inserts an order in a state that its saga does not write.
async fn insert(harness: &Harness, status: Status, tender: Tender) -> OrderRecord {
    let mut record = harness.record(Status::PaymentPending);
    record.order.tender = tender;
    harness.insert(&record).await.unwrap();
    sqlx::query("UPDATE orders SET status = $2, lease_until = NULL, created_at = now() WHERE id = $1")
        .bind(record.order.id.uuid())
        .bind(status.as_str())
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    record
}

async fn audit(harness: &Harness) -> Vec<(OrderId, MoneyDifference)> {
    audit_all(&MoneyAudit(harness.cx.clone()))
        .await
        .unwrap()
        .differences
}

/// Payments has released the charge of a capture that failed, and ordering has not consumed `CaptureFailed` yet.
#[tokio::test]
async fn a_charge_that_changed_recently_is_compared_later() {
    let (mut harness, money) = start().await;
    harness.cx.rules.audit_settle_seconds = 600;
    let accepted = insert(&harness, Status::Accepted, Tender::Card).await;
    money.add_charge(&harness, accepted.order.id, ChargeState::Closed);
    sqlx::query("UPDATE order_history SET recorded_at = now() - interval '1 hour'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    let changed_before = |age: jiff::SignedDuration| {
        let changed_at = SystemClock.now() - age;
        money.charges.lock().unwrap()[0].changed_at = changed_at.to_string();
    };
    changed_before(jiff::SignedDuration::from_mins(9));
    assert_eq!(audit(&harness).await, []);
    changed_before(jiff::SignedDuration::from_hours(1));
    assert_eq!(audit(&harness).await, [(accepted.order.id, ChargeMissing)]);
}

#[tokio::test]
async fn orders_with_their_money_have_no_differences() {
    let (harness, money) = start().await;
    let card = insert(&harness, Status::Placed, Tender::Card).await;
    money.add_charge(&harness, card.order.id, ChargeState::Authorized);
    let joepass = insert(&harness, Status::Completed, Tender::JoePass).await;
    money.add_hold(joepass.order.id, HoldState::Captured);
    let failed = insert(&harness, Status::PaymentFailed, Tender::Card).await;
    money.add_charge(&harness, failed.order.id, ChargeState::Closed);
    insert(&harness, Status::PaymentPending, Tender::Card).await;
    assert_eq!(audit(&harness).await, []);
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_without_its_money_and_money_without_its_order_are_reported() {
    let (harness, money) = start().await;
    let card = insert(&harness, Status::Placed, Tender::Card).await.order.id;
    let joepass = insert(&harness, Status::Placed, Tender::JoePass).await.order.id;
    let (charged, held) = (OrderId::new(harness.now()), OrderId::new(harness.now()));
    money.add_charge(&harness, charged, ChargeState::Succeeded);
    money.add_hold(held, HoldState::Held);
    let mut expected = vec![
        (card, ChargeMissing),
        (joepass, HoldMissing),
        (charged, ChargeWithoutOrder),
        (held, HoldWithoutOrder),
    ];
    expected.sort_unstable();
    assert_eq!(audit(&harness).await, expected);
    harness.database.drop().await;
}

#[tokio::test]
async fn the_money_of_an_ended_order_is_released() {
    let (harness, money) = start().await;
    let card = insert(&harness, Status::Cancelled, Tender::Card).await.order.id;
    money.add_charge(&harness, card, ChargeState::Succeeded);
    let joepass = insert(&harness, Status::Rejected, Tender::JoePass).await.order.id;
    money.add_hold(joepass, HoldState::Held);
    let audit = MoneyAudit(harness.cx.clone());
    let first = audit_all(&audit).await.unwrap();
    let mut expected = vec![(card, ChargeNotReleased), (joepass, HoldNotReleased)];
    expected.sort_unstable();
    let mut repaired = first.repaired;
    repaired.sort_unstable();
    assert_eq!(first.differences, []);
    assert_eq!(
        repaired,
        expected.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
    );
    assert_eq!(audit_all(&audit).await.unwrap().repaired, []);
    harness.database.drop().await;
}

#[tokio::test]
async fn money_that_is_held_for_long_is_reported() {
    let (harness, money) = start().await;
    let held = insert(&harness, Status::Placed, Tender::JoePass).await.order.id;
    money.add_hold(held, HoldState::Held);
    sqlx::query("UPDATE orders SET created_at = now() - interval '8 days'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(audit(&harness).await, [(held, HeldTooLong)]);
    harness.database.drop().await;
}

#[tokio::test]
async fn the_periodic_audit_compares_what_changed_and_repeats_its_differences() {
    let (harness, money) = start().await;
    let card = insert(&harness, Status::Placed, Tender::Card).await.order.id;
    let audit = MoneyAudit(harness.cx.clone());
    let run = async || audit_due(&audit).await.unwrap();
    assert_eq!(run().await.unwrap().differences, [(card, ChargeMissing)]);
    assert!(run().await.is_none(), "the next audit is due in an hour");
    // Changed long ago: only a stored difference is compared again.
    sqlx::query("UPDATE order_history SET recorded_at = now() - interval '3 hours'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    insert(&harness, Status::PaymentPending, Tender::Card).await;
    make_due(&harness).await;
    let second = run().await.unwrap();
    assert_eq!(
        (second.compared, second.differences),
        (2, vec![(card, ChargeMissing)])
    );
    money.add_charge(&harness, card, ChargeState::Authorized);
    make_due(&harness).await;
    assert_eq!(run().await.unwrap().differences, []);
    let stored: i64 = sqlx::query_scalar("SELECT count(*) FROM audit_differences")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(stored, 0);
    harness.database.drop().await;
}

async fn make_due(harness: &Harness) {
    sqlx::query("UPDATE audits SET due_at = now()")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn one_replica_audits_at_a_time_and_a_failed_audit_is_repeated() {
    let (harness, _) = start().await;
    let audit = MoneyAudit(harness.cx.clone());
    let (first, second) = tokio::join!(audit_due(&audit), audit_due(&audit));
    let audits = [first.unwrap(), second.unwrap()];
    assert_eq!(audits.iter().flatten().count(), 1);
    let down = Harness::new().await;
    audit_due(&MoneyAudit(down.cx.clone())).await.unwrap_err();
    let audited_until: Option<String> = sqlx::query_scalar("SELECT audited_until::text FROM audits")
        .fetch_one(&down.cx.pool)
        .await
        .unwrap();
    assert_eq!(audited_until, None);
    harness.database.drop().await;
    down.database.drop().await;
}
