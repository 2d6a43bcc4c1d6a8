//! `HoldValue` and `CloseHold`: valid, invalid, repeated and concurrent.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::accounts::{IN_FLIGHT, SALES};
use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{
    CloseHoldRequest, HoldState, HoldValueRequest, InsufficientBalance, ListHoldsRequest, RefundHoldRequest,
    gift_cards_server::GiftCards as _,
};
use testing::into_result;
use types::{BalanceId, ConsumerId};

use crate::harness::{
    Harness, at, hold_request, new_order, request_from_consumer, request_from_service, usd,
};

#[tokio::test]
async fn a_hold_reduces_the_balance_and_closing_releases_it() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(5_000).await, new_order());
    let hold = harness.hold(order, consumer, 1_240).await.unwrap();
    assert_eq!(
        (hold.state(), hold.amount, hold.available),
        (HoldState::Held, usd(1_240), usd(3_760))
    );
    assert_eq!(harness.wallet(consumer).await, (3_760, 1_240));
    assert_eq!(harness.sum_of_postings(IN_FLIGHT).await, 1_240);

    let without_title = HoldValueRequest {
        title: "\0 ".into(),
        ..hold_request(new_order(), consumer, 1)
    };
    let hold = harness.hold_value(without_title).await.unwrap();
    harness.close_hold(hold.order_id.parse().unwrap()).await;
    for _ in 0..2 {
        let hold = harness.close_hold(order).await;
        assert_eq!((hold.state(), hold.available), (HoldState::Released, usd(5_000)));
    }
    assert_eq!(harness.wallet(consumer).await, (5_000, 0));
    assert_eq!(harness.sum_of_postings(IN_FLIGHT).await, 0);
    assert_eq!(harness.published().await, ["gift-cards.BalanceChanged"; 4]);
    harness.close().await;
}

#[tokio::test]
async fn only_the_consumers_own_balance_can_be_held() {
    let harness = Harness::start().await;
    let (consumer, other) = (harness.consumer_with(500).await, harness.consumer_with(500).await);
    let (own, foreign) = (harness.joepass(consumer).await, harness.joepass(other).await);
    let request = |balance: BalanceId| HoldValueRequest {
        balance_id: balance.to_string(),
        ..hold_request(new_order(), consumer, 100)
    };
    for unknown in [foreign, BalanceId::new(at()), BalanceId::from_uuid(SALES.uuid())] {
        let error = harness.hold_value(request(unknown)).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::NotFound, "BALANCE_UNKNOWN")
        );
    }
    harness.hold_value(request(own)).await.unwrap();
    assert_eq!(
        (harness.wallet(consumer).await.0, harness.wallet(other).await.0),
        (400, 500)
    );
    harness.close().await;
}

#[tokio::test]
async fn a_hold_cannot_exceed_the_balance() {
    let harness = Harness::start().await;
    let (consumer, unknown, order) = (
        harness.consumer_with(300).await,
        ConsumerId::new(at()),
        new_order(),
    );
    let error = harness.hold(order, consumer, 301).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RuleViolation, "INSUFFICIENT_BALANCE")
    );
    assert_eq!(error.detail(), Some(InsufficientBalance { available: usd(300) }));
    let error = harness.hold(new_order(), unknown, 1).await.unwrap_err();
    assert_eq!(
        &*error.reason, "INSUFFICIENT_BALANCE",
        "an unknown consumer has a balance of 0"
    );
    // The error wrote nothing: the same order can hold the available amount.
    harness.hold(order, consumer, 300).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn an_order_that_costs_nothing_has_a_hold_without_posting() {
    let harness = Harness::start().await;
    let (consumer, order) = (harness.consumer_with(0).await, new_order());
    assert_eq!(
        harness.hold(order, consumer, 0).await.unwrap().state(),
        HoldState::Held
    );
    assert_eq!(harness.close_hold(order).await.state(), HoldState::Released);
    assert!(harness.transactions(consumer, 0, 0).await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn invalid_requests_name_the_field() {
    let harness = Harness::start().await;
    let valid = hold_request(new_order(), harness.consumer_with(500).await, 100);
    let cases = [
        (
            HoldValueRequest {
                order_id: "ord_1".into(),
                ..valid.clone()
            },
            "ID_MALFORMED",
            "orderId",
        ),
        (
            HoldValueRequest {
                consumer_id: valid.order_id.clone(),
                ..valid.clone()
            },
            "ID_MALFORMED",
            "consumerId",
        ),
        (
            HoldValueRequest {
                balance_id: "x".into(),
                ..valid.clone()
            },
            "ID_MALFORMED",
            "balanceId",
        ),
        (
            HoldValueRequest {
                amount: None,
                ..valid.clone()
            },
            "AMOUNT_MALFORMED",
            "amount",
        ),
        (
            HoldValueRequest {
                amount: usd(-1),
                ..valid.clone()
            },
            "AMOUNT_INVALID",
            "amount",
        ),
        (
            HoldValueRequest {
                amount: usd(i64::MIN),
                ..valid.clone()
            },
            "AMOUNT_INVALID",
            "amount",
        ),
    ];
    for (request, reason, field) in cases {
        let error = harness.hold_value(request).await.unwrap_err();
        assert_eq!((&*error.reason, error.field.as_deref()), (reason, Some(field)));
    }
    harness.close().await;
}

#[tokio::test]
async fn only_ordering_may_hold_close_and_refund() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(500).await;
    let request = || hold_request(new_order(), consumer, 100);
    for forbidden in [
        request_from_consumer(consumer, request()),
        request_from_service("rewards", request()),
    ] {
        let status = harness.grpc().hold_value(forbidden).await.unwrap_err();
        assert_eq!(ServiceError::from_status(&status).code, ErrorCode::Forbidden);
    }
    let close = request_from_consumer(
        consumer,
        CloseHoldRequest {
            order_id: new_order().to_string(),
        },
    );
    assert!(harness.grpc().close_hold(close).await.is_err());
    let refund = RefundHoldRequest {
        order_id: new_order().to_string(),
        amount: usd(100),
        refund_id: "refund".into(),
    };
    for forbidden in [
        request_from_consumer(consumer, refund.clone()),
        request_from_service("payments", refund),
    ] {
        let status = harness.grpc().refund_hold(forbidden).await.unwrap_err();
        assert_eq!(ServiceError::from_status(&status).code, ErrorCode::Forbidden);
    }
    assert!(
        harness
            .grpc()
            .hold_value(tonic::Request::new(request()))
            .await
            .is_err(),
        "without a caller"
    );
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_equal_requests_create_one_hold() {
    let harness = Arc::new(Harness::start().await);
    let (consumer, order) = (harness.consumer_with(1_000).await, new_order());
    let requests = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.hold(order, consumer, 700).await })
    });
    let held: Vec<_> = join_all(requests)
        .await
        .into_iter()
        .map(|hold| hold.unwrap().unwrap())
        .collect();
    assert!(held.iter().all(|hold| hold == &held[0]), "{held:?}");
    assert_eq!(harness.wallet(consumer).await, (300, 700));
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn an_order_cannot_hold_a_second_amount() {
    let harness = Harness::start().await;
    let (consumer, other, order) = (
        harness.consumer_with(1_000).await,
        harness.consumer_with(1_000).await,
        new_order(),
    );
    harness.hold(order, consumer, 700).await.unwrap();
    for (consumer, cents) in [(consumer, 701), (other, 700)] {
        let error = harness.hold(order, consumer, cents).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason),
            (ErrorCode::Conflict, "HOLD_MISMATCH")
        );
    }
    assert_eq!(harness.wallet(other).await, (1_000, 0));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_concurrent_holds_on_a_balance_succeeds() {
    for _ in 0..10 {
        let harness = Arc::new(Harness::start().await);
        let consumer = harness.consumer_with(1_000).await;
        let holds = [new_order(), new_order()].map(|order| {
            let harness = Arc::clone(&harness);
            tokio::spawn(async move { harness.hold(order, consumer, 600).await })
        });
        let outcomes: Vec<_> = join_all(holds).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        let error = outcomes.into_iter().find_map(Result::err).unwrap();
        assert_eq!(&*error.reason, "INSUFFICIENT_BALANCE");
        assert_eq!(harness.wallet(consumer).await, (400, 600));
        Arc::into_inner(harness).unwrap().close().await;
    }
}

#[tokio::test]
async fn an_order_cannot_hold_after_closing() {
    let harness = Harness::start().await;
    let (consumer, never_held, released) = (harness.consumer_with(500).await, new_order(), new_order());
    assert_eq!(harness.close_hold(never_held).await.state(), HoldState::Closed);
    harness.hold(released, consumer, 100).await.unwrap();
    harness.close_hold(released).await;
    for closed in [never_held, released] {
        let error = harness.hold(closed, consumer, 100).await.unwrap_err();
        assert_eq!((error.code, &*error.reason), (ErrorCode::Conflict, "HOLD_CLOSED"));
    }
    assert_eq!(harness.wallet(consumer).await, (500, 0));
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_concurrent_with_its_close_holds_nothing() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    for _ in 0..40 {
        let order = new_order();
        let (holder, closer) = (Arc::clone(&harness), Arc::clone(&harness));
        let hold = tokio::spawn(async move { holder.hold(order, consumer, 900).await });
        let close = tokio::spawn(async move { closer.close_hold(order).await });
        let (hold, close) = (hold.await.unwrap(), close.await.unwrap());
        match hold {
            Ok(_) => assert_eq!(close.state(), HoldState::Released),
            Err(error) => {
                assert_eq!(
                    (&*error.reason, close.state()),
                    ("HOLD_CLOSED", HoldState::Closed)
                );
            }
        }
        assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    }
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn ordering_lists_holds_by_order_and_by_change() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let (held, closed) = (new_order(), new_order());
    harness.hold(held, consumer, 300).await.unwrap();
    harness.advance_clock(jiff::SignedDuration::from_hours(1));
    harness.close_hold(closed).await;
    let list = async |request: ListHoldsRequest| {
        let request = request_from_service("ordering", request);
        let response = into_result(harness.grpc().list_holds(request).await).unwrap();
        let holds = response.holds.into_iter();
        holds
            .map(|hold| (hold.order_id.clone(), hold.state()))
            .collect::<Vec<_>>()
    };
    let found = list(ListHoldsRequest {
        order_ids: vec![held.to_string()],
        ..ListHoldsRequest::default()
    });
    assert_eq!(found.await, [(held.to_string(), HoldState::Held)]);
    let changed = list(ListHoldsRequest {
        changed_since: harness.now().to_string(),
        ..ListHoldsRequest::default()
    });
    assert_eq!(changed.await, [(closed.to_string(), HoldState::Closed)]);
    let all = list(ListHoldsRequest::default()).await;
    assert_eq!(all.len(), 2);
    let rest = list(ListHoldsRequest {
        after: all[0].0.clone(),
        ..ListHoldsRequest::default()
    });
    assert_eq!(rest.await, all[1..]);
    let foreign = request_from_service("rewards", ListHoldsRequest::default());
    assert_eq!(
        into_result(harness.grpc().list_holds(foreign).await)
            .unwrap_err()
            .reason,
        "FORBIDDEN"
    );
    harness.close().await;
}
