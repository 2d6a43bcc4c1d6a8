//! Refunds of parts of completed orders.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{
        refund::RefundParts,
        status::Status,
        tender::{StoredValuePart, Tender},
    },
    ops::refund_order::{RefundOrder, RefundOrderError, execute_open_refunds, refund_order},
};
use proto::{
    giftcards::v1::{Hold, RefundHoldRequest},
    payments::v1::{Charge, RefundChargeRequest},
};
use types::{Clock, Money, OrderId, StoreId, SystemClock};

use crate::{fake_services::FakeServices, harness::Harness};

/// The refunds that payments and gift-cards accepted: the service, the refund and the cents.
type Accepted = Arc<Mutex<Vec<(&'static str, String, i64)>>>;

async fn start() -> (Harness, FakeServices, Accepted) {
    let now = SystemClock.now();
    let services = FakeServices::start(StoreId::new(now), now).await;
    let harness = Harness::with_services(&services).await;
    let accepted = Accepted::default();
    accept_charges(&services, &accepted);
    accept_holds(&services, &accepted);
    (harness, services, accepted)
}

fn accept_holds(services: &FakeServices, accepted: &Accepted) {
    let holds = accepted.clone();
    services.on_request("RefundHold", move |request: RefundHoldRequest| {
        let cents = request.amount.unwrap().minor_units;
        holds
            .lock()
            .unwrap()
            .push(("stored value", request.refund_id, cents));
        Hold::default()
    });
}

fn accept_charges(services: &FakeServices, accepted: &Accepted) {
    let charges = accepted.clone();
    services.on_request("RefundCharge", move |request: RefundChargeRequest| {
        let cents = request.amount.unwrap().minor_units;
        charges.lock().unwrap().push(("charge", request.refund_id, cents));
        Charge::default()
    });
}

/// Inserts an order of $12.40, of which stored value paid $4.00.
async fn insert_split_order(harness: &Harness, status: Status) -> OrderId {
    let mut record = harness.record(status);
    record.order.tender = Tender::Card;
    record.order.payment_method_id = "pay_01h455vb4pex5vsknk084sn02q".into();
    record.order.stored_value = Some(StoredValuePart {
        balance_id: String::new(),
        amount: Money::usd(400),
    });
    harness.insert(&record).await.unwrap();
    record.order.id
}

async fn refund(
    harness: &Harness,
    order_id: OrderId,
    refund_id: &str,
    cents: i64,
) -> Result<(i64, i64), RefundOrderError> {
    let command = RefundOrder {
        order_id,
        refund_id: refund_id.to_owned(),
        minor_units: cents,
    };
    let RefundParts { charge, stored_value } = refund_order(&harness.cx, command).await?;
    Ok((charge.minor_units(), stored_value.minor_units()))
}

#[tokio::test]
async fn the_card_is_refunded_first_then_stored_value_and_never_more_than_was_paid() {
    let (harness, _services, accepted) = start().await;
    let order = insert_split_order(&harness, Status::Completed).await;
    assert_eq!(refund(&harness, order, "milk", 300).await.unwrap(), (300, 0));
    for _ in 0..2 {
        assert_eq!(refund(&harness, order, "cake", 740).await.unwrap(), (540, 200));
    }
    let too_much = refund(&harness, order, "tip", 201).await.unwrap_err();
    assert!(matches!(too_much, RefundOrderError::AmountInvalid), "{too_much}");
    let changed = refund(&harness, order, "milk", 301).await.unwrap_err();
    assert!(matches!(changed, RefundOrderError::Mismatch), "{changed}");
    assert_eq!(refund(&harness, order, "tip", 200).await.unwrap(), (0, 200));
    let mut accepted = accepted.lock().unwrap().clone();
    accepted.dedup();
    let call = |service, id: &str, cents| (service, id.to_owned(), cents);
    assert_eq!(
        accepted,
        [
            call("charge", "milk", 300),
            call("charge", "cake", 540),
            call("stored value", "cake", 200),
            call("charge", "cake", 540),
            call("stored value", "cake", 200),
            call("stored value", "tip", 200),
        ]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn concurrent_refunds_do_not_exceed_the_order() {
    let (harness, _services, accepted) = start().await;
    let order = insert_split_order(&harness, Status::Completed).await;
    let refunds = (0..6).map(|number| {
        let harness = &harness;
        async move { refund(harness, order, &format!("refund {number}"), 310).await }
    });
    let outcomes = futures::future::join_all(refunds).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 4);
    let total: i64 = accepted.lock().unwrap().iter().map(|(_, _, cents)| cents).sum();
    assert_eq!(total, 1_240);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_rejected_charge_refunds_nothing_and_can_be_repeated() {
    let (harness, services, accepted) = start().await;
    let order = insert_split_order(&harness, Status::Completed).await;
    let disputed = || ServiceError::new(ErrorCode::Conflict, "CHARGE_NOT_REFUNDABLE", "It is disputed.");
    services.on_error("RefundCharge", disputed);
    let rejected = refund(&harness, order, "cake", 900).await.unwrap_err();
    assert!(matches!(rejected, RefundOrderError::Rejected(_)), "{rejected}");
    assert_eq!(*accepted.lock().unwrap(), []);
    accept_charges(&services, &accepted);
    assert_eq!(refund(&harness, order, "cake", 1_240).await.unwrap(), (840, 400));
    harness.database.drop().await;
}

/// Lets time pass until refunds are due. They use the database's clock, which tests cannot set.
async fn pass_time(harness: &Harness, time: Duration) {
    sqlx::query("UPDATE order_refunds SET next_attempt_at = next_attempt_at - make_interval(secs => $1)")
        .bind(time.as_secs_f64())
        .execute(&harness.cx.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_interrupted_refund_is_executed_later() {
    let (harness, services, accepted) = start().await;
    let order = insert_split_order(&harness, Status::Completed).await;
    services.on_error("RefundHold", ServiceError::internal);
    let open = refund(&harness, order, "cake", 1_000).await.unwrap_err();
    assert!(matches!(open, RefundOrderError::Open(_)), "{open}");
    assert!(open.to_string().contains("same refund id"), "{open}");
    harness.advance_clock(Duration::from_secs(61));
    assert_eq!(
        execute_open_refunds(&harness.cx).await.unwrap(),
        0,
        "too early, also for a replica whose clock is ahead"
    );
    accept_holds(&services, &accepted);
    pass_time(&harness, Duration::from_secs(61)).await;
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 1);
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 0);
    let mut accepted = accepted.lock().unwrap().clone();
    accepted.dedup();
    assert_eq!(
        accepted,
        [
            ("charge", "cake".to_owned(), 840),
            ("stored value", "cake".to_owned(), 160)
        ]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn refunds_that_cannot_be_executed_do_not_delay_others() {
    let (harness, services, accepted) = start().await;
    let rejected = || {
        ServiceError::new(
            ErrorCode::Conflict,
            "HOLD_NOT_REFUNDABLE",
            "It cannot be refunded.",
        )
    };
    services.on_error("RefundHold", rejected);
    // As many as the worker executes in one run.
    for _ in 0..20 {
        let order = insert_split_order(&harness, Status::Completed).await;
        refund(&harness, order, "cake", 1_000).await.unwrap_err();
    }
    pass_time(&harness, Duration::from_secs(30)).await;
    let order = insert_split_order(&harness, Status::Completed).await;
    services.on_error("RefundCharge", ServiceError::internal);
    refund(&harness, order, "milk", 300).await.unwrap_err();
    accept_charges(&services, &accepted);
    pass_time(&harness, Duration::from_secs(31)).await;
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 20);
    pass_time(&harness, Duration::from_secs(30)).await;
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 1);
    assert!(
        accepted
            .lock()
            .unwrap()
            .contains(&("charge", "milk".to_owned(), 300))
    );
    // The others are tried again, later each time.
    pass_time(&harness, Duration::from_secs(30)).await;
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 20);
    pass_time(&harness, Duration::from_secs(61)).await;
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 0);
    pass_time(&harness, Duration::from_mins(1)).await;
    assert_eq!(execute_open_refunds(&harness.cx).await.unwrap(), 20);
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_whose_charge_failed_is_refunded_up_to_its_stored_value() {
    let (harness, _services, accepted) = start().await;
    let order = insert_split_order(&harness, Status::Completed).await;
    sqlx::query("UPDATE orders SET reason = 'PAYMENT_CAPTURE_FAILED' WHERE id = $1")
        .bind(order.uuid())
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    let too_much = refund(&harness, order, "all", 401).await.unwrap_err();
    assert!(matches!(too_much, RefundOrderError::AmountInvalid), "{too_much}");
    assert_eq!(refund(&harness, order, "card", 400).await.unwrap(), (0, 400));
    assert_eq!(
        *accepted.lock().unwrap(),
        [("stored value", "card".to_owned(), 400)]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn only_completed_orders_that_were_paid_are_refunded_in_part() {
    let (harness, services, _accepted) = start().await;
    for status in [Status::Placed, Status::Accepted, Status::Ready, Status::Rejected] {
        let order = insert_split_order(&harness, status).await;
        let error = refund(&harness, order, "cake", 100).await.unwrap_err();
        assert!(
            matches!(error, RefundOrderError::NotRefundable),
            "{status}: {error}"
        );
    }
    let unknown = refund(&harness, OrderId::new(harness.now()), "cake", 100).await;
    assert!(matches!(unknown, Err(RefundOrderError::NotFound)));
    assert_eq!(services.count("RefundCharge"), 0);
    harness.database.drop().await;
}
