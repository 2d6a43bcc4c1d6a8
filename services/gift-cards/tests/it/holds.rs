//! Holding and closing: right, wrong, foreign, repeated and raced.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::ops;
use kit::{ErrorCode, ServiceError, caller::Caller};
use proto::giftcards::v1::{
    CloseHoldRequest, HoldState, HoldValueRequest, gift_cards_server::GiftCards as _,
};
use types::{BalanceId, ConsumerId};

use crate::harness::{Harness, at, request_from_consumer, holding, order, usd};

#[tokio::test]
async fn a_hold_takes_from_the_balance_and_closing_gives_it_back() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(5_000).await, order());
    let hold = harness.hold(order, consumer, 1_240).await.unwrap();
    assert_eq!(
        (hold.state(), hold.amount, hold.available),
        (HoldState::Held, usd(1_240), usd(3_760))
    );
    assert_eq!(harness.wallet(consumer).await, (3_760, 1_240));
    assert_eq!(harness.on(ops::IN_FLIGHT).await, 1_240);

    let nameless = HoldValueRequest {
        title: "\0 ".into(),
        ..holding(crate::harness::order(), consumer, 1)
    };
    harness
        .close_hold(harness.ask(nameless).await.unwrap().order_id.parse().unwrap())
        .await;
    for _ in 0..2 {
        let hold = harness.close_hold(order).await;
        assert_eq!((hold.state(), hold.available), (HoldState::Released, usd(5_000)));
    }
    assert_eq!(harness.wallet(consumer).await, (5_000, 0));
    assert_eq!(harness.on(ops::IN_FLIGHT).await, 0);
    assert_eq!(harness.published().await, ["gift-cards.BalanceChanged"; 4]);
    harness.close().await;
}

#[tokio::test]
async fn a_named_balance_must_be_the_consumers_own() {
    let harness = Harness::start().await;
    let (consumer, other) = (harness.consumer_with(500).await, harness.consumer_with(500).await);
    let own = ops::get_wallet::get_wallet(&harness.cx, consumer)
        .await
        .unwrap()
        .unwrap()
        .id;
    let foreign = ops::get_wallet::get_wallet(&harness.cx, other)
        .await
        .unwrap()
        .unwrap()
        .id;
    let named = |balance: BalanceId| HoldValueRequest {
        balance_id: balance.to_string(),
        ..holding(order(), consumer, 100)
    };
    for unknown in [
        foreign,
        BalanceId::new(at()),
        BalanceId::from_uuid(ops::SALES.uuid()),
    ] {
        let refusal = harness.ask(named(unknown)).await.unwrap_err();
        assert_eq!(
            (refusal.code, &*refusal.reason),
            (ErrorCode::NotFound, "BALANCE_UNKNOWN")
        );
    }
    harness.ask(named(own)).await.unwrap();
    assert_eq!(
        (harness.wallet(consumer).await.0, harness.wallet(other).await.0),
        (400, 500)
    );
    harness.close().await;
}

#[tokio::test]
async fn what_is_not_there_cannot_be_held() {
    let harness = Harness::start().await;
    let (consumer, poor, wanted) = (harness.consumer_with(300).await, ConsumerId::new(at()), order());
    let refusal = harness.hold(wanted, consumer, 301).await.unwrap_err();
    assert_eq!(
        (refusal.code, &*refusal.reason),
        (ErrorCode::RuleViolation, "INSUFFICIENT_BALANCE")
    );
    assert_eq!(refusal.data.as_deref(), Some(r#"{"available":300}"#));
    let refusal = harness.hold(order(), poor, 1).await.unwrap_err();
    assert_eq!(
        &*refusal.reason, "INSUFFICIENT_BALANCE",
        "a consumer never seen has nothing"
    );
    // The refusal left nothing behind: the same order may hold what there is.
    harness.hold(wanted, consumer, 300).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn an_order_that_costs_nothing_holds_nothing() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(0).await, order());
    assert_eq!(
        harness.hold(order, consumer, 0).await.unwrap().state(),
        HoldState::Held
    );
    assert_eq!(harness.close_hold(order).await.state(), HoldState::Released);
    assert!(harness.transactions(consumer, 0, 0).await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn malformed_requests_are_refused_by_field() {
    let harness = Harness::start().await;
    let good = holding(order(), harness.consumer_with(500).await, 100);
    let cases = [
        (
            HoldValueRequest {
                order_id: "ord_1".into(),
                ..good.clone()
            },
            "ID_MALFORMED",
            "orderId",
        ),
        (
            HoldValueRequest {
                consumer_id: good.order_id.clone(),
                ..good.clone()
            },
            "ID_MALFORMED",
            "consumerId",
        ),
        (
            HoldValueRequest {
                balance_id: "x".into(),
                ..good.clone()
            },
            "ID_MALFORMED",
            "balanceId",
        ),
        (
            HoldValueRequest {
                amount: None,
                ..good.clone()
            },
            "AMOUNT_MALFORMED",
            "amount",
        ),
        (
            HoldValueRequest {
                amount: usd(-1),
                ..good.clone()
            },
            "AMOUNT_INVALID",
            "amount",
        ),
        (
            HoldValueRequest {
                amount: usd(i64::MIN),
                ..good.clone()
            },
            "AMOUNT_INVALID",
            "amount",
        ),
    ];
    for (request, reason, field) in cases {
        let refusal = harness.ask(request).await.unwrap_err();
        assert_eq!(
            (&*refusal.reason, refusal.field.as_deref()),
            (reason, Some(field))
        );
    }
    harness.close().await;
}

#[tokio::test]
async fn only_ordering_holds_and_gives_back() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(500).await;
    let request = || holding(order(), consumer, 100);
    let mut by_rewards = tonic::Request::new(request());
    by_rewards.extensions_mut().insert(Caller::Service {
        name: "rewards".to_owned(),
    });
    for forbidden in [request_from_consumer(consumer, request()), by_rewards] {
        let status = harness.grpc().hold_value(forbidden).await.unwrap_err();
        assert_eq!(ServiceError::from_status(&status).code, ErrorCode::Forbidden);
    }
    let close = request_from_consumer(
        consumer,
        CloseHoldRequest {
            order_id: order().to_string(),
        },
    );
    assert!(harness.grpc().close_hold(close).await.is_err());
    assert!(
        harness
            .grpc()
            .hold_value(tonic::Request::new(request()))
            .await
            .is_err(),
        "nobody"
    );
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_equal_holds_are_one() {
    let harness = Arc::new(Harness::start().await);
    let (consumer, order) = (harness.consumer_with(1_000).await, order());
    let asked = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.hold(order, consumer, 700).await })
    });
    let held: Vec<_> = join_all(asked)
        .await
        .into_iter()
        .map(|hold| hold.unwrap().unwrap())
        .collect();
    assert!(held.iter().all(|hold| hold == &held[0]), "{held:?}");
    assert_eq!(harness.wallet(consumer).await, (300, 700));
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn one_order_holds_one_thing() {
    let harness = Harness::start().await;
    let (consumer, other, order) = (
        harness.consumer_with(1_000).await,
        harness.consumer_with(1_000).await,
        order(),
    );
    harness.hold(order, consumer, 700).await.unwrap();
    for (who, cents) in [(consumer, 701), (other, 700)] {
        let refusal = harness.hold(order, who, cents).await.unwrap_err();
        assert_eq!(
            (refusal.code, &*refusal.reason),
            (ErrorCode::Conflict, "HOLD_MISMATCH")
        );
    }
    assert_eq!(harness.wallet(other).await, (1_000, 0));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_orders_against_one_balance_have_one_winner() {
    for _ in 0..10 {
        let harness = Arc::new(Harness::start().await);
        let consumer = harness.consumer_with(1_000).await;
        let race = [order(), order()].map(|order| {
            let harness = Arc::clone(&harness);
            tokio::spawn(async move { harness.hold(order, consumer, 600).await })
        });
        let outcomes: Vec<_> = join_all(race).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        let loser = outcomes.into_iter().find_map(Result::err).unwrap();
        assert_eq!(&*loser.reason, "INSUFFICIENT_BALANCE");
        assert_eq!(harness.wallet(consumer).await, (400, 600));
        Arc::into_inner(harness).unwrap().close().await;
    }
}

#[tokio::test]
async fn a_closed_order_never_holds() {
    let harness = Harness::start().await;
    let (consumer, early, late) = (harness.consumer_with(500).await, order(), order());
    assert_eq!(harness.close_hold(early).await.state(), HoldState::Closed);
    harness.hold(late, consumer, 100).await.unwrap();
    harness.close_hold(late).await;
    for closed in [early, late] {
        let refusal = harness.hold(closed, consumer, 100).await.unwrap_err();
        assert_eq!(
            (refusal.code, &*refusal.reason),
            (ErrorCode::Conflict, "HOLD_CLOSED")
        );
    }
    assert_eq!(harness.wallet(consumer).await, (500, 0));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_that_races_its_close_leaves_nothing_held() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    for _ in 0..40 {
        let order = order();
        let (holder, closer) = (Arc::clone(&harness), Arc::clone(&harness));
        let hold = tokio::spawn(async move { holder.hold(order, consumer, 900).await });
        let close = tokio::spawn(async move { closer.close_hold(order).await });
        let (hold, close) = (hold.await.unwrap(), close.await.unwrap());
        match hold {
            Ok(_) => assert_eq!(close.state(), HoldState::Released),
            Err(refusal) => {
                assert_eq!(
                    (&*refusal.reason, close.state()),
                    ("HOLD_CLOSED", HoldState::Closed)
                );
            }
        }
        assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    }
    Arc::into_inner(harness).unwrap().close().await;
}
