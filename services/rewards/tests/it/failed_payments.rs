//! Notifications about returned payments and debts.

use std::time::Duration;

use kit::outbox::{self, OutboxEntry};
use prost::Message as _;
use proto::{
    events::Event as _,
    giftcards::v1::{PurchaseEvent, PurchaseReturned, PurchaseSnapshot, purchase_event},
    ordering::v1::EndReason,
    payments::v1::{
        ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, DebtCreated, PaymentReturned,
        charge_event::Change,
    },
    rewards::v1::{NotificationEvent, notification_event},
};
use types::{ChargeId, Clock as _, ConsumerId, DebtId, OrderId, SystemClock};

use crate::{
    harness::{
        Harness, at, cancelled, consumer_removed, delivery, new_consumer, new_order, order_end,
        order_snapshot,
    },
    program::Program,
};

/// An event about the charge of an order of $12.50.
fn event(consumer_id: ConsumerId, order_id: OrderId, change: Change) -> ChargeEvent {
    ChargeEvent {
        charge: Some(ChargeSnapshot {
            charge_id: ChargeId::new(at()).to_string(),
            consumer_id: consumer_id.to_string(),
            amount_minor_units: 1_250,
            currency: "usd".to_owned(),
            changed_at: at().to_string(),
            subject: Some(ChargeSubject {
                purpose: ChargePurpose::Order.into(),
                id: order_id.to_string(),
            }),
            ..ChargeSnapshot::default()
        }),
        change: Some(change),
    }
}

fn returned() -> Change {
    Change::Returned(PaymentReturned { order_ended: false })
}

fn debt() -> Change {
    Change::DebtCreated(DebtCreated {
        debt_id: DebtId::new(at()).to_string(),
        amount_minor_units: 1_250,
        penalty_fee_minor_units: 500,
        name: "Sunset & Maltman".to_owned(),
        refunded_minor_units: Some(0),
        of_removed_consumer: false,
    })
}

#[tokio::test]
async fn a_returned_payment_is_notified_once_per_charge() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let returned = event(consumer, order, returned());
    let first = delivery(&returned);
    for _ in 0..2 {
        harness.consume(&first).await.unwrap();
    }
    // Payments publishes it again if the store accepts the order nevertheless.
    harness.receive(returned).await.unwrap();
    let inbox = harness.inbox(consumer, 0, 0).await;
    let [message] = inbox.messages.as_slice() else {
        panic!("{inbox:?}")
    };
    assert_eq!(
        (
            &*message.kind,
            &*message.title,
            &*message.body,
            &*message.order_id
        ),
        (
            "payment_returned",
            "Your bank returned $12.50",
            "The payment for your order didn't go through.",
            &*order.to_string()
        )
    );
    harness.close().await;
}

#[tokio::test]
async fn a_debt_is_notified_once_with_its_total() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let created = event(consumer, new_order(), debt());
    for _ in 0..2 {
        harness.receive(created.clone()).await.unwrap();
    }
    let inbox = harness.inbox(consumer, 0, 0).await;
    let [message] = inbox.messages.as_slice() else {
        panic!("{inbox:?}")
    };
    assert_eq!(
        (&*message.kind, &*message.title, &*message.body),
        (
            "debt_created",
            "You owe $17.50",
            "Your bank returned $12.50 for Sunset & Maltman. There's a $5.00 fee. Pay it to order again."
        )
    );
    harness.close().await;
}

#[tokio::test]
async fn a_debt_of_a_removed_consumer_is_notified_to_the_next_one_without_the_order() {
    let harness = Harness::start().await;
    let (removed, next, order) = (new_consumer(), new_consumer(), new_order());
    harness.receive(event(removed, order, debt())).await.unwrap();
    harness.receive(consumer_removed(removed)).await.unwrap();
    let mut change = debt();
    if let Change::DebtCreated(debt) = &mut change {
        debt.of_removed_consumer = true;
    }
    let created = event(next, order, change);
    for _ in 0..2 {
        harness.receive(created.clone()).await.unwrap();
    }
    let inbox = harness.inbox(next, 0, 0).await;
    let [message] = inbox.messages.as_slice() else {
        panic!("{inbox:?}")
    };
    assert_eq!((&*message.title, &*message.order_id), ("You owe $17.50", ""));
    assert_notified_once(&harness, next, "debt_created").await;
    harness.close().await;
}

/// Asserts that the consumer has one message, of this kind, and was notified of it once.
async fn assert_notified_once(harness: &Harness, consumer: ConsumerId, kind: &str) {
    let inbox = harness.inbox(consumer, 0, 0).await;
    let kinds: Vec<&str> = inbox.messages.iter().map(|message| &*message.kind).collect();
    assert_eq!(kinds, [kind]);
    let templates: Vec<String> = sqlx::query_scalar("SELECT payload FROM outbox WHERE kind = $1")
        .bind("rewards.NotificationRequested")
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap()
        .into_iter()
        .map(|payload: Vec<u8>| NotificationEvent::decode(&*payload).unwrap())
        .filter(|event| event.consumer_id == consumer.to_string())
        .map(|event| match event.change.unwrap() {
            notification_event::Change::Requested(requested) => requested.template,
        })
        .collect();
    assert_eq!(templates, [kind]);
}

#[tokio::test]
async fn the_return_of_an_order_that_was_made_is_notified_once_as_a_debt() {
    let harness = Harness::start().await;
    for changes in [[returned(), debt()], [debt(), returned()]] {
        let (consumer, order) = (new_consumer(), new_order());
        for change in changes {
            harness.receive(event(consumer, order, change)).await.unwrap();
        }
        assert_notified_once(&harness, consumer, "debt_created").await;
    }
    harness.close().await;
}

#[tokio::test]
async fn a_return_that_cancels_the_order_is_notified_once_as_the_cancellation() {
    let harness = Harness::start().await;
    for is_returned_first in [true, false] {
        let (consumer, order) = (new_consumer(), new_order());
        let end = order_end(EndReason::PaymentReturned);
        let cancelled = cancelled(order_snapshot(order, consumer), end);
        let returned = event(consumer, order, returned());
        if is_returned_first {
            harness.receive(returned).await.unwrap();
            harness.receive(cancelled).await.unwrap();
        } else {
            harness.receive(cancelled).await.unwrap();
            harness.receive(returned).await.unwrap();
        }
        assert_notified_once(&harness, consumer, "order_cancelled").await;
    }
    harness.close().await;
}

#[tokio::test]
async fn the_return_of_an_order_that_ended_before_is_notified_once() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let returned = Change::Returned(PaymentReturned { order_ended: true });
    for _ in 0..2 {
        harness
            .receive(event(consumer, order, returned.clone()))
            .await
            .unwrap();
    }
    assert_notified_once(&harness, consumer, "payment_returned").await;
    harness.close().await;
}

#[tokio::test]
async fn a_returned_purchase_that_was_spent_is_notified_once_as_a_debt() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let purchase = PurchaseEvent {
        purchase: Some(PurchaseSnapshot {
            consumer_id: consumer.to_string(),
            amount_minor_units: 2_500,
            currency: "usd".to_owned(),
            changed_at: at().to_string(),
            ..PurchaseSnapshot::default()
        }),
        change: Some(purchase_event::Change::PurchaseReturned(PurchaseReturned {
            shortfall_minor_units: 1_250,
            ..PurchaseReturned::default()
        })),
    };
    harness.receive(purchase).await.unwrap();
    let mut owed = event(consumer, new_order(), debt());
    let charge = owed.charge.as_mut().unwrap();
    charge.amount_minor_units = 2_500;
    charge.subject.as_mut().unwrap().set_purpose(ChargePurpose::TopUp);
    harness.receive(owed).await.unwrap();
    assert_notified_once(&harness, consumer, "debt_created").await;
    assert!(
        harness
            .latest_message(consumer)
            .await
            .unwrap()
            .body
            .contains("Your bank returned $25.00 for Sunset & Maltman. We took back what was left")
    );
    harness.close().await;
}

#[tokio::test]
async fn a_debt_after_a_refund_names_what_was_refunded_and_what_was_spent() {
    let harness = Harness::start().await;
    for (purpose, refunded, explanation) in [
        (
            ChargePurpose::Order,
            Some(1_250),
            "We'd already refunded $12.50. There's a $5.00 fee.",
        ),
        (
            ChargePurpose::TopUp,
            Some(1_250),
            "We'd already refunded $12.50. There's a $5.00 fee.",
        ),
        (
            ChargePurpose::TopUp,
            Some(450),
            "We took back what was left, but you'd already spent $8.00. We'd already refunded $4.50. There's a $5.00 fee.",
        ),
        // An event of an earlier release.
        (
            ChargePurpose::TopUp,
            None,
            "We took back what was left, but $12.50 was already spent or refunded. There's a $5.00 fee.",
        ),
    ] {
        let consumer = new_consumer();
        let mut owed = event(consumer, new_order(), debt());
        let charge = owed.charge.as_mut().unwrap();
        charge.amount_minor_units = 2_500;
        charge.subject.as_mut().unwrap().set_purpose(purpose);
        if let Some(Change::DebtCreated(debt)) = &mut owed.change {
            debt.refunded_minor_units = refunded;
        }
        harness.receive(owed).await.unwrap();
        let message = harness.latest_message(consumer).await.unwrap();
        let expected =
            format!("Your bank returned $25.00 for Sunset & Maltman. {explanation} Pay it to order again.");
        assert_eq!((&*message.title, message.body), ("You owe $17.50", expected));
    }
    harness.close().await;
}

#[tokio::test]
async fn the_return_of_a_purchase_is_left_to_gift_cards() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let mut returned = event(consumer, new_order(), returned());
    let subject = returned
        .charge
        .as_mut()
        .and_then(|charge| charge.subject.as_mut());
    subject.unwrap().set_purpose(ChargePurpose::TopUp);
    harness.receive(returned).await.unwrap();
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 0);
    harness.close().await;
}

#[tokio::test]
async fn removed_consumers_are_not_notified() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    harness.receive(consumer_removed(consumer)).await.unwrap();
    for change in [returned(), debt()] {
        harness
            .receive(event(consumer, new_order(), change.clone()))
            .await
            .unwrap();
        let mut anonymous = event(consumer, new_order(), change);
        anonymous.charge.as_mut().unwrap().consumer_id.clear();
        harness.receive(anonymous).await.unwrap();
    }
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 0);
    harness.close().await;
}

#[tokio::test]
async fn the_broker_delivers_returns_and_debts() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let program = Program::serve(&harness).await;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    for change in [returned(), debt()] {
        let event = event(consumer, order, change);
        for version in 1..=2 {
            let entry = OutboxEntry::new(
                event.event_type(),
                &event,
                order.to_string(),
                version,
                SystemClock.now(),
            );
            outbox::append(&mut conn, entry).await.unwrap();
        }
    }
    drop(conn);
    wait_for_consumed_events(&harness, 4).await;
    program.clean_up().await;
    assert_eq!(harness.inbox(consumer, 0, 0).await.total, 1);
    harness.close().await;
}

async fn wait_for_consumed_events(harness: &Harness, expected: i64) {
    for _ in 0..400 {
        let query = sqlx::query_scalar("SELECT count(*) FROM consumed_events");
        let consumed: i64 = query.fetch_one(&harness.cx.pool).await.unwrap();
        if consumed == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the events were not consumed");
}
