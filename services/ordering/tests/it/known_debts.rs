//! Payments is asked for debts only if it may have announced one.

use proto::payments::v1::{
    ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject, CheckDebtsResponse, DebtCreated,
    charge_event::Change,
};
use types::ConsumerId;

use crate::{
    place_order::Checkout,
    removal::{pass_time_until_erasure, removed},
};

fn debt_created(consumer_id: &str, purpose: ChargePurpose, subject_id: &str) -> ChargeEvent {
    ChargeEvent {
        charge: Some(ChargeSnapshot {
            consumer_id: consumer_id.into(),
            subject: Some(ChargeSubject {
                purpose: purpose.into(),
                id: subject_id.into(),
            }),
            ..ChargeSnapshot::default()
        }),
        change: Some(Change::DebtCreated(DebtCreated::default())),
    }
}

fn order_debt(consumer_id: ConsumerId) -> ChargeEvent {
    let order_id = "ord_01h455vb4pex5vsknk084sn02q";
    debt_created(&consumer_id.to_string(), ChargePurpose::Order, order_id)
}

async fn place(checkout: &Checkout, cart: &str) -> Result<(), String> {
    let placed = checkout.place(checkout.command(cart)).await;
    placed.map(drop).map_err(|error| error.reason.into_owned())
}

async fn count_checks(checkout: &Checkout) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM debt_checks")
        .fetch_one(&checkout.harness.cx.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn payments_is_asked_once_until_it_announces_a_debt() {
    for (purpose, subject_id) in [
        (ChargePurpose::Order, "ord_01h455vb4pex5vsknk084sn02q"),
        (ChargePurpose::TopUp, "tup_01h455vb4pex5vsknk084sn02q"),
    ] {
        let checkout = Checkout::new().await;
        for cart in ["first", "second"] {
            place(&checkout, cart).await.unwrap();
        }
        assert_eq!(checkout.services.count("CheckDebts"), 1);

        let debt = debt_created(&checkout.consumer_id.to_string(), purpose, subject_id);
        checkout.harness.consume(&debt).await;
        checkout
            .services
            .on("CheckDebts", || CheckDebtsResponse { has_debts: true });
        for cart in ["owed", "still owed"] {
            let error = place(&checkout, cart).await.unwrap_err();
            assert_eq!(error, "FAILED_ACH_PAYMENTS");
        }
        // Paid or written off, which is not announced.
        checkout.services.on("CheckDebts", CheckDebtsResponse::default);
        for cart in ["paid", "next"] {
            place(&checkout, cart).await.unwrap();
        }
        assert_eq!(checkout.services.count("CheckDebts"), 1 + 2 + 1);
        checkout.harness.database.drop().await;
    }
}

#[tokio::test]
async fn a_response_is_not_recorded_if_a_debt_was_announced_meanwhile() {
    for known in [false, true] {
        let checkout = Checkout::new().await;
        if known {
            place(&checkout, "before").await.unwrap();
            checkout.harness.consume(&order_debt(checkout.consumer_id)).await;
        }
        let held = checkout.services.hold("CheckDebts");
        let announced = async {
            let calls = checkout.services.count("CheckDebts") + 1;
            checkout.services.wait_for_calls("CheckDebts", calls).await;
            checkout.harness.consume(&order_debt(checkout.consumer_id)).await;
            drop(held);
        };
        let (placed, ()) = tokio::join!(place(&checkout, "raced"), announced);
        placed.unwrap();
        checkout
            .services
            .on("CheckDebts", || CheckDebtsResponse { has_debts: true });
        let error = place(&checkout, "after").await.unwrap_err();
        assert_eq!(error, "FAILED_ACH_PAYMENTS", "known before: {known}");
        checkout.harness.database.drop().await;
    }
}

#[tokio::test]
async fn payments_is_asked_again_after_a_week() {
    let checkout = Checkout::new().await;
    place(&checkout, "first").await.unwrap();
    for (days, asked) in [("6 days 23 hours", 1), ("1 hour", 2)] {
        sqlx::query("UPDATE debt_checks SET clear_until = clear_until - $1::interval")
            .bind(days)
            .execute(&checkout.harness.cx.pool)
            .await
            .unwrap();
        place(&checkout, days).await.unwrap();
        assert_eq!(checkout.services.count("CheckDebts"), asked, "{days}");
    }
    checkout.harness.database.drop().await;
}

#[tokio::test]
async fn nothing_is_kept_of_removed_consumers() {
    let checkout = Checkout::new().await;
    place(&checkout, "first").await.unwrap();
    assert_eq!(count_checks(&checkout).await, 1);
    checkout.harness.consume(&removed(checkout.consumer_id)).await;
    // Published before the removal. One without a consumer names nobody.
    checkout.harness.consume(&order_debt(checkout.consumer_id)).await;
    let unnamed = debt_created("", ChargePurpose::Order, "ord_01h455vb4pex5vsknk084sn02q");
    checkout.harness.consume(&unnamed).await;
    pass_time_until_erasure(&checkout.harness).await;
    ordering::ops::forget_consumer::erase_late_data(&checkout.harness.cx)
        .await
        .unwrap();
    assert_eq!(count_checks(&checkout).await, 0);
    checkout.harness.database.drop().await;
}
