//! Rewards at checkout: they cost points, apply to one drink, and are given back.

use futures::future::join_all;
use kit::ServiceError;
use proto::{
    giftcards::v1::{BalanceEvent, RefundCredited, balance_event},
    ordering::v1::{EndReason, OrderSnapshot},
    payments::v1::{ChargeEvent, ChargePurpose, ChargeSnapshot, ChargeSubject},
    rewards::v1::{ClaimDiscountRequest, Discount, PriceDiscountRequest},
    values::v1::JourneyStep,
};
use types::{ConsumerId, OrderId};

use crate::harness::{
    Harness, at, claim_request, completed, consumer_removed, new_consumer, new_order, order_end,
    order_snapshot, payment_failed, refunded, rejected, usd,
};

/// The cheapest reward: 250 points for $1.
const CODE: &str = "REWARD250";

/// A consumer with 300 points, from an order of $30.
async fn consumer_with_points(harness: &Harness) -> ConsumerId {
    let consumer = new_consumer();
    let order = OrderSnapshot {
        earning_minor_units: 3_000,
        ..order_snapshot(new_order(), consumer)
    };
    harness.receive(completed(order)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 300);
    consumer
}

async fn claim(
    harness: &Harness,
    order: OrderId,
    consumer: ConsumerId,
    drink_cents: Option<i64>,
) -> Result<Discount, ServiceError> {
    let request = ClaimDiscountRequest {
        drink_price: drink_cents.and_then(usd),
        ..claim_request(order, consumer, CODE, 640)
    };
    harness.claim_discount(request).await
}

async fn price(harness: &Harness, consumer: ConsumerId, code: &str, drink_cents: Option<i64>) -> Discount {
    let request = PriceDiscountRequest {
        consumer_id: consumer.to_string(),
        code: code.to_owned(),
        subtotal: usd(640),
        store_id: String::new(),
        journey_step: JourneyStep::Web.into(),
        time_zone: String::new(),
        drink_price: drink_cents.and_then(usd),
        company_id: String::new(),
    };
    harness.price_discount(request).await.unwrap()
}

fn refund(order: OrderId, consumer: ConsumerId, cents: i64) -> ChargeEvent {
    refunded(ChargeSnapshot {
        charge_id: "chg_1".to_owned(),
        subject: Some(ChargeSubject {
            purpose: ChargePurpose::Order.into(),
            id: order.to_string(),
        }),
        consumer_id: consumer.to_string(),
        amount_minor_units: cents,
        currency: "usd".to_owned(),
        changed_at: at().to_string(),
        ..ChargeSnapshot::default()
    })
}

#[tokio::test]
async fn a_reward_takes_its_amount_off_a_drink() {
    let harness = Harness::start().await;
    let consumer = consumer_with_points(&harness).await;
    for (code, drink_cents, amount, reason) in [
        (CODE, Some(540), 100, ""),
        // At most the price of the drink, not of the whole order.
        (CODE, Some(80), 80, ""),
        (CODE, None, 0, "REWARD_NO_DRINK"),
        ("REWARD600", Some(540), 0, "REWARD_NOT_ENOUGH_POINTS"),
        ("REWARD251", Some(540), 0, "PROMO_UNKNOWN"),
    ] {
        let discount = price(&harness, consumer, code, drink_cents).await;
        assert_eq!(
            (discount.amount, &*discount.reason),
            (usd(amount), reason),
            "{code}"
        );
    }
    assert_eq!(harness.points(consumer).await, 300, "pricing spends nothing");
    harness.close().await;
}

#[tokio::test]
async fn two_devices_at_once_spend_the_points_once() {
    let harness = Harness::start().await;
    let consumer = consumer_with_points(&harness).await;
    let orders: Vec<OrderId> = (0..8).map(|_| new_order()).collect();
    let claims = orders
        .iter()
        .map(|order| claim(&harness, *order, consumer, Some(540)));
    let reasons: Vec<String> = join_all(claims)
        .await
        .into_iter()
        .map(|claim| claim.unwrap().reason)
        .collect();
    assert_eq!(
        reasons.iter().filter(|reason| reason.is_empty()).count(),
        1,
        "{reasons:?}"
    );
    assert!(
        reasons
            .iter()
            .all(|reason| reason.is_empty() || reason == "REWARD_NOT_ENOUGH_POINTS")
    );
    assert_eq!(harness.points(consumer).await, 50);
    assert_eq!(harness.count_claims().await, 1);
    // The same order again spends nothing more.
    let claimed = orders[reasons.iter().position(String::is_empty).unwrap()];
    assert_eq!(
        claim(&harness, claimed, consumer, Some(540))
            .await
            .unwrap()
            .amount,
        usd(100)
    );
    assert_eq!(harness.points(consumer).await, 50);
    harness.close().await;
}

#[tokio::test]
async fn a_rejected_or_refunded_order_gives_the_points_back_once() {
    let harness = Harness::start().await;
    let consumer = consumer_with_points(&harness).await;
    let order = new_order();
    claim(&harness, order, consumer, Some(540)).await.unwrap();
    for _ in 0..2 {
        let event = rejected(
            order_snapshot(order, consumer),
            order_end(EndReason::RejectedByStore),
        );
        harness.receive(event).await.unwrap();
    }
    assert!(harness.close_claim(order).await);
    assert_eq!(harness.points(consumer).await, 300);

    let order = new_order();
    claim(&harness, order, consumer, Some(540)).await.unwrap();
    harness
        .receive(completed(order_snapshot(order, consumer)))
        .await
        .unwrap();
    assert_eq!(harness.points(consumer).await, 110, "300 - 250 + 60");
    harness.receive(refund(order, consumer, 200)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 90, "a part gives nothing back");
    harness.receive(refund(order, consumer, 552)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 300);
    harness.receive(refund(order, consumer, 1)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 300);
    harness.close().await;
}

#[tokio::test]
async fn a_refund_of_all_that_was_paid_returns_a_reward_that_made_the_items_free() {
    let harness = Harness::start().await;
    let consumer = consumer_with_points(&harness).await;
    let order = new_order();
    claim(&harness, order, consumer, Some(540)).await.unwrap();
    // Only a tip of $1.12 was paid.
    let snapshot = OrderSnapshot {
        total_minor_units: 112,
        earning_minor_units: 0,
        ..order_snapshot(order, consumer)
    };
    harness.receive(completed(snapshot)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 50, "300 - 250");
    for (cents, expected) in [(12, 50), (100, 300), (1, 300)] {
        harness.receive(refund(order, consumer, cents)).await.unwrap();
        assert_eq!(harness.points(consumer).await, expected, "{cents}");
    }
    harness.close().await;
}

/// A payment that is captured after its capture failed is refunded. The store has collected the discounted price by then.
#[tokio::test]
async fn a_refund_of_an_unpaid_order_returns_no_reward() {
    let harness = Harness::start().await;
    for completes_first in [true, false] {
        let consumer = consumer_with_points(&harness).await;
        let order = new_order();
        claim(&harness, order, consumer, Some(540)).await.unwrap();
        let snapshot = order_snapshot(order, consumer);
        harness.receive(payment_failed(snapshot.clone())).await.unwrap();
        if completes_first {
            harness.receive(completed(snapshot)).await.unwrap();
            harness.receive(refund(order, consumer, 752)).await.unwrap();
        } else {
            harness.receive(refund(order, consumer, 752)).await.unwrap();
            harness.receive(completed(snapshot)).await.unwrap();
        }
        assert_eq!(harness.points(consumer).await, 50, "300 - 250");
    }
    harness.close().await;
}

#[tokio::test]
async fn a_refund_without_tax_and_tip_returns_no_reward() {
    let harness = Harness::start().await;
    let consumer = consumer_with_points(&harness).await;
    let order = new_order();
    claim(&harness, order, consumer, Some(540)).await.unwrap();
    let snapshot = order_snapshot(order, consumer);
    harness.receive(completed(snapshot)).await.unwrap();
    // The order cost $6.40, and $7.52 with tax.
    harness.receive(refund(order, consumer, 640)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 50);
    harness.receive(refund(order, consumer, 112)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 300);
    harness.close().await;
}

#[tokio::test]
async fn a_refund_after_spending_leaves_a_debt_of_points_that_buys_nothing() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let earned_with = new_order();
    let order = OrderSnapshot {
        earning_minor_units: 3_000,
        ..order_snapshot(earned_with, consumer)
    };
    harness.receive(completed(order)).await.unwrap();
    claim(&harness, new_order(), consumer, Some(540)).await.unwrap();
    harness
        .receive(refund(earned_with, consumer, 3_300))
        .await
        .unwrap();
    assert_eq!(harness.points(consumer).await, -250);
    let discount = claim(&harness, new_order(), consumer, Some(540)).await.unwrap();
    assert_eq!(discount.reason, "REWARD_NOT_ENOUGH_POINTS");
    harness.close().await;
}

#[tokio::test]
async fn a_refund_that_is_credited_to_joepass_revokes_points_once() {
    let harness = Harness::start().await;
    let consumer = new_consumer();
    let credited = |order: OrderId, refund_id: &str| BalanceEvent {
        consumer_id: consumer.to_string(),
        balance_id: String::new(),
        change: Some(balance_event::Change::RefundCredited(RefundCredited {
            amount_minor_units: 752,
            currency: "usd".into(),
            order_id: order.to_string(),
            credited_at: at().to_string(),
            refund_id: refund_id.to_owned(),
        })),
    };
    let order = harness.complete_order(consumer).await;
    for _ in 0..2 {
        harness.receive(credited(order, "chg_1:re_1")).await.unwrap();
    }
    assert_eq!(harness.points(consumer).await, 0);
    let messages = harness.inbox(consumer, 0, 0).await.messages.into_iter();
    let credited_messages = messages.filter(|message| message.kind == "refund_credited");
    let bodies: Vec<String> = credited_messages.map(|message| message.body).collect();
    let text = "Your bank or card didn't accept the refund, so you got it as JoePass balance.";
    assert!(
        bodies.contains(&format!("{text} We took back 60 points.")),
        "{bodies:?}"
    );
    assert!(bodies.contains(&text.to_owned()), "repeated: {bodies:?}");

    // The bank first reported success, and returned the refund later.
    let order = harness.complete_order(consumer).await;
    let mut event = refund(order, consumer, 300);
    let Some(proto::payments::v1::charge_event::Change::Refunded(done)) = &mut event.change else {
        panic!("a refund");
    };
    done.refund_id = "re_2".to_owned();
    harness.receive(event).await.unwrap();
    assert_eq!(harness.points(consumer).await, 30);
    harness.receive(credited(order, "chg_1:re_2")).await.unwrap();
    assert_eq!(harness.points(consumer).await, 30);
    harness.close().await;
}

#[tokio::test]
async fn a_removed_consumer_gets_nothing_back() {
    let harness = Harness::start().await;
    let consumer = consumer_with_points(&harness).await;
    let order = new_order();
    claim(&harness, order, consumer, Some(540)).await.unwrap();
    harness.receive(consumer_removed(consumer)).await.unwrap();
    harness.close_claim(order).await;
    assert_eq!(harness.points(consumer).await, 0);
    harness.close().await;
}

#[tokio::test]
async fn an_order_in_the_app_earns_twice_the_points() {
    let harness = Harness::start().await;
    let (consumer, order) = (new_consumer(), new_order());
    let snapshot = OrderSnapshot {
        journey_step: JourneyStep::App.into(),
        ..order_snapshot(order, consumer)
    };
    harness.receive(completed(snapshot)).await.unwrap();
    assert_eq!(harness.points(consumer).await, 120);
    harness.receive(refund(order, consumer, 200)).await.unwrap();
    assert_eq!(
        harness.points(consumer).await,
        80,
        "20 for each whole dollar of $4.40"
    );
    harness.close().await;
}
