//! An order that waits for the consumer's authentication is paid, canceled by its consumer or closed by recovery. For
//! each pair of these, one takes effect. A blocked call of a fake service determines which one is first.

use std::time::Duration;

use kit::ServiceError;
use ordering::{
    domain::{
        order::{OrderDetails, OrderRecord},
        status::{Actor, Status},
    },
    ops::{
        advance_order::{Advance, advance_order},
        cancel_order::{cancel_order, cancel_unaccepted_order},
        get_order::get_order,
        list_active_orders::list_active_orders,
        order_error::OrderError,
        recover::recover_orders,
        reject_order::reject_order,
    },
};
use proto::{
    ordering::v1::{EndReason, order_event},
    payments::v1::{
        ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, PaymentAuthorized, charge_event::Change,
    },
};
use tokio::task::JoinHandle;
use types::StoreId;

use crate::{
    fake_services::FakeServices,
    harness::{Harness, START},
};

struct Pending {
    harness: Harness,
    services: FakeServices,
    record: OrderRecord,
}

impl Pending {
    async fn new() -> Self {
        Self::with_order(|_| {}).await
    }

    async fn with_order(change: impl FnOnce(&mut OrderRecord)) -> Self {
        let start: jiff::Timestamp = START.parse().unwrap();
        let services = FakeServices::start(StoreId::new(start), start + Duration::from_mins(10)).await;
        let harness = Harness::with_services(&services).await;
        let record = harness.insert_waiting_order(change).await;
        Self {
            harness,
            services,
            record,
        }
    }

    fn spawn_cancel(&self) -> JoinHandle<Result<OrderDetails, OrderError>> {
        let cx = self.harness.cx.clone();
        let (consumer_id, order_id) = (self.record.order.consumer_id, self.record.order.id);
        tokio::spawn(async move { cancel_order(&cx, consumer_id, order_id).await })
    }

    /// Publishes that the consumer authenticated the payment: the order is resumed in the background.
    async fn authorize(&self) {
        let event = ChargeEvent {
            charge: Some(ChargeSnapshot {
                subject: Some(ChargeSubject {
                    purpose: ChargePurpose::Order.into(),
                    id: self.record.order.id.to_string(),
                }),
                ..ChargeSnapshot::default()
            }),
            change: Some(Change::Authorized(PaymentAuthorized {})),
        };
        self.harness.consume(&event).await;
    }

    async fn expire_lease(&self) {
        self.harness.pass_lease_time(Duration::from_hours(1)).await;
    }

    async fn details(&self) -> OrderDetails {
        let order = &self.record.order;
        get_order(&self.harness.cx, order.consumer_id, order.id)
            .await
            .unwrap()
    }

    /// Asserts that the order failed for this reason, once, and that nothing is held for it.
    async fn assert_failed(self, reason: &str) {
        let details = self.details().await;
        assert_eq!(
            (
                details.order.status,
                details.order.reason.as_str(),
                details.order.is_charged
            ),
            (Status::PaymentFailed, reason, false)
        );
        assert!(self.services.count("CloseCharge") > 0);
        assert!(self.services.count("ReleaseCapacity") > 0);
        assert_eq!(
            self.harness.database.outbox_event_types().await,
            ["ordering.OrderAbandoned"]
        );
        self.harness.database.drop().await;
    }

    /// Asserts that the order was placed, and that nothing was released.
    async fn assert_placed(self) {
        self.harness
            .wait_for_status(self.record.order.id, Status::Placed)
            .await;
        assert_eq!(self.services.count("CloseCharge"), 0);
        assert_eq!(self.services.count("ReleaseCapacity"), 0);
        assert_eq!(
            self.harness.database.outbox_event_types().await,
            ["ordering.OrderPlaced"]
        );
        self.harness.database.drop().await;
    }
}

#[tokio::test]
async fn a_waiting_order_is_listed_and_its_consumer_can_end_it_at_once() {
    let pending = Pending::new().await;
    let (cx, order) = (&pending.harness.cx, &pending.record.order);
    let active = list_active_orders(cx, order.consumer_id, None).await.unwrap();
    assert_eq!(
        active.iter().map(|details| details.order.id).collect::<Vec<_>>(),
        [order.id]
    );
    let canceled = pending.spawn_cancel().await.unwrap().unwrap();
    assert_eq!(canceled.order.status, Status::PaymentFailed);
    assert_eq!(
        canceled.order.message,
        "You canceled this order. You weren't charged."
    );
    assert_eq!(canceled.history.last().unwrap().actor, Actor::Consumer);
    assert_eq!(
        list_active_orders(cx, order.consumer_id, None).await.unwrap(),
        Vec::new()
    );
    // Repeating it changes nothing.
    assert_eq!(pending.spawn_cancel().await.unwrap().unwrap(), canceled);
    let events = pending.harness.order_events().await;
    let Some(order_event::Change::Abandoned(abandoned)) = &events[0].change else {
        panic!("{events:?}");
    };
    let end = abandoned.end.as_ref().unwrap();
    assert_eq!(
        (end.reason(), end.charged),
        (EndReason::CancelledByConsumer, false)
    );
    assert_eq!(pending.services.count("CloseCharge"), 1);
    assert_eq!(
        (
            pending.services.count("CloseHold"),
            pending.services.count("CloseClaim")
        ),
        (0, 0),
        "the order has neither stored value nor a promo code"
    );
    pending.assert_failed("CONSUMER_CANCELLED").await;
}

#[tokio::test]
async fn an_order_that_cannot_be_closed_now_is_closed_by_recovery() {
    let pending = Pending::new().await;
    let held = pending.services.hold("CloseCharge");
    let canceled = kit::grpc::deadline::within(Duration::from_millis(300), async {
        cancel_order(
            &pending.harness.cx,
            pending.record.order.consumer_id,
            pending.record.order.id,
        )
        .await
    });
    let error = ServiceError::from(canceled.await.unwrap_err());
    assert_eq!(error.code, kit::ErrorCode::Unavailable);
    assert_eq!(pending.details().await.order.status, Status::PaymentPending);
    drop(held);
    pending.expire_lease().await;
    assert_eq!(recover_orders(&pending.harness.cx).await.unwrap(), 1);
    pending.assert_failed("ORDER_NOT_PLACED").await;
}

#[tokio::test]
async fn the_store_and_the_system_cannot_act_on_an_order_that_is_not_paid() {
    let pending = Pending::new().await;
    let (cx, order_id) = (&pending.harness.cx, pending.record.order.id);
    let store = pending.harness.store_of(&pending.record);
    let held = pending.services.hold("RefreshCharge");
    pending.authorize().await;
    pending.services.wait_for_calls("RefreshCharge", 1).await;
    assert!(
        advance_order(cx, Some(&store), order_id, Advance::Accept)
            .await
            .is_err()
    );
    assert!(reject_order(cx, &store, order_id, "no").await.is_err());
    assert!(cancel_unaccepted_order(cx, order_id).await.is_err());
    drop(held);
    pending.assert_placed().await;
}

#[tokio::test]
async fn a_consumer_who_cancels_during_the_authentication_cancels_the_placed_order() {
    let pending = Pending::new().await;
    let held = pending.services.hold("RefreshCharge");
    pending.authorize().await;
    pending.services.wait_for_calls("RefreshCharge", 1).await;
    let cancel = pending.spawn_cancel();
    drop(held);
    let canceled = cancel.await.unwrap().unwrap();
    assert_eq!(canceled.order.status, Status::Cancelled);
    assert_eq!(
        pending.harness.database.outbox_event_types().await,
        ["ordering.OrderPlaced", "ordering.OrderCancelled"]
    );
    pending.harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_is_being_abandoned_is_not_placed_by_a_late_authentication() {
    let pending = Pending::new().await;
    let held = pending.services.hold("CloseCharge");
    let cancel = pending.spawn_cancel();
    pending.services.wait_for_calls("CloseCharge", 1).await;
    pending.authorize().await;
    drop(held);
    assert_eq!(cancel.await.unwrap().unwrap().order.status, Status::PaymentFailed);
    assert_eq!(pending.services.count("RefreshCharge"), 0);
    pending.assert_failed("CONSUMER_CANCELLED").await;
}

#[tokio::test]
async fn an_authentication_before_recovery_places_the_order() {
    let pending = Pending::new().await;
    let held = pending.services.hold("RefreshCharge");
    pending.authorize().await;
    pending.services.wait_for_calls("RefreshCharge", 1).await;
    assert_eq!(recover_orders(&pending.harness.cx).await.unwrap(), 0);
    drop(held);
    pending.assert_placed().await;
}

/// Eight lattes, which three baristas make in less than four minutes.
async fn large_order() -> Pending {
    Pending::with_order(|record| {
        let now = record.order.created_at;
        record.placement.make_seconds = 560;
        record.placement.not_after = now + Duration::from_mins(9);
        record.order.start_at = now;
        record.order.ready_at = now + Duration::from_mins(4);
    })
    .await
}

#[tokio::test]
async fn an_order_that_several_baristas_make_in_time_is_placed_after_the_authentication() {
    let pending = large_order().await;
    pending.harness.advance_clock(Duration::from_mins(5));
    pending.authorize().await;
    pending.assert_placed().await;
}

#[tokio::test]
async fn an_order_that_can_no_longer_be_made_in_time_fails_after_the_authentication() {
    let pending = large_order().await;
    pending.harness.advance_clock(Duration::from_secs(5 * 60 + 1));
    pending.authorize().await;
    pending
        .harness
        .wait_for_status(pending.record.order.id, Status::PaymentFailed)
        .await;
    pending.assert_failed("ETA_CHANGED").await;
}

#[tokio::test]
async fn an_authentication_that_lost_its_lease_to_recovery_places_nothing() {
    let pending = Pending::new().await;
    let held = pending.services.hold("RefreshCharge");
    pending.authorize().await;
    pending.services.wait_for_calls("RefreshCharge", 1).await;
    pending.expire_lease().await;
    assert_eq!(recover_orders(&pending.harness.cx).await.unwrap(), 1);
    drop(held);
    // The resumed saga reads that the charge is authorized, and fails to write.
    pending.services.wait_for_calls("RefreshCharge", 1).await;
    pending.harness.cx.process.tasks.close();
    pending.harness.cx.process.tasks.wait().await;
    pending.assert_failed("ORDER_NOT_PLACED").await;
}

#[tokio::test]
async fn an_authentication_during_recovery_places_nothing() {
    let pending = Pending::new().await;
    pending.expire_lease().await;
    let held = pending.services.hold("CloseCharge");
    let cx = pending.harness.cx.clone();
    let recovery = tokio::spawn(async move { recover_orders(&cx).await.unwrap() });
    pending.services.wait_for_calls("CloseCharge", 1).await;
    pending.authorize().await;
    drop(held);
    assert_eq!(recovery.await.unwrap(), 1);
    assert_eq!(pending.services.count("RefreshCharge"), 0);
    pending.assert_failed("AUTHENTICATION_EXPIRED").await;
}

#[tokio::test]
async fn a_consumer_who_cancels_during_recovery_gets_its_result() {
    let pending = Pending::new().await;
    pending.expire_lease().await;
    let held = pending.services.hold("CloseCharge");
    let cx = pending.harness.cx.clone();
    let recovery = tokio::spawn(async move { recover_orders(&cx).await.unwrap() });
    pending.services.wait_for_calls("CloseCharge", 1).await;
    let cancel = pending.spawn_cancel();
    drop(held);
    assert_eq!(recovery.await.unwrap(), 1);
    let error = ServiceError::from(cancel.await.unwrap().unwrap_err());
    assert_eq!(error.reason, "ORDER_PAYMENT_FAILED");
    pending.assert_failed("AUTHENTICATION_EXPIRED").await;
}

#[tokio::test]
async fn recovery_skips_an_order_that_its_consumer_is_canceling() {
    let pending = Pending::new().await;
    let held = pending.services.hold("CloseCharge");
    let cancel = pending.spawn_cancel();
    pending.services.wait_for_calls("CloseCharge", 1).await;
    assert_eq!(recover_orders(&pending.harness.cx).await.unwrap(), 0);
    drop(held);
    cancel.await.unwrap().unwrap();
    pending.assert_failed("CONSUMER_CANCELLED").await;
}
