//! Recovery while a service does not respond.

use std::time::Duration;

use ordering::{
    domain::{order::OrderRecord, status::Status, tender::Tender},
    ops::recover::recover_orders,
};
use types::StoreId;

use crate::{
    fake_services::FakeServices,
    harness::{Harness, START},
};

async fn interrupted(harness: &Harness, tender: Tender, promo_code: &str) -> OrderRecord {
    let mut record = harness.record(Status::PaymentPending);
    record.order.tender = tender;
    record.order.promo_code = promo_code.to_owned();
    harness.insert(&record).await.unwrap();
    record
}

#[tokio::test]
async fn orders_that_do_not_need_an_unavailable_service_are_closed() {
    let start: jiff::Timestamp = START.parse().unwrap();
    let services = FakeServices::start(StoreId::new(start), start).await;
    let harness = Harness::with_services(&services).await;
    let mut by_card = Vec::new();
    for _ in 0..30 {
        by_card.push(interrupted(&harness, Tender::Card, "").await);
    }
    let by_joepass = interrupted(&harness, Tender::JoePass, "").await;
    let with_promo = interrupted(&harness, Tender::JoePass, "WELCOME3").await;
    harness.pass_lease_time(Duration::from_mins(1)).await;

    let held = services.hold("CloseCharge");
    let cx = harness.cx.clone();
    let recovery = tokio::spawn(async move { recover_orders(&cx).await.unwrap() });
    for record in [&by_joepass, &with_promo] {
        harness
            .wait_for_status(record.order.id, Status::PaymentFailed)
            .await;
    }
    assert!(!recovery.is_finished(), "payments does not respond");
    // At most 20 orders of one service per run.
    assert_eq!(recovery.await.unwrap(), 22);
    assert_eq!(
        (services.count("CloseHold"), services.count("CloseClaim")),
        (2, 1)
    );
    assert_eq!(services.count("ReleaseCapacity"), 22);
    for record in &by_card {
        assert_eq!(harness.status(record.order.id).await, Status::PaymentPending);
    }
    drop(held);

    for _ in 0..2 {
        harness.pass_lease_time(Duration::from_mins(1)).await;
        recover_orders(&harness.cx).await.unwrap();
    }
    for record in &by_card {
        assert_eq!(harness.status(record.order.id).await, Status::PaymentFailed);
    }
    harness.database.drop().await;
}
