//! Each step is atomic, and the response equals the stored order.

use std::time::Duration;

use kit::idempotency::{self, IdempotencyState, Key};
use ordering::{
    db::steps::{self, BeginOutcome, NewSaga, StepRecord},
    domain::{
        order::{Order, OrderRecord, Transition},
        place_order::PlaceOrder,
        status::{Actor, Status},
    },
    ops::{get_order::get_order, order_details::history_when_placed},
};
use types::ConsumerId;

use crate::harness::{Harness, order_placed};

const REQUEST_HASH: &[u8] = b"hash of the request";

fn with_consumer(record: OrderRecord, consumer_id: ConsumerId) -> OrderRecord {
    OrderRecord {
        order: Order {
            consumer_id,
            ..record.order
        },
        ..record
    }
}

async fn begin(harness: &Harness, record: &OrderRecord, key: &str) -> Result<bool, sqlx::Error> {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let saga = NewSaga {
        key: Key {
            scope: &record.order.consumer_id.to_string(),
            operation: PlaceOrder::OPERATION,
            key,
        },
        request_hash: REQUEST_HASH,
        lease: harness.cx.rules.saga_lease(),
        max_active: 5,
    };
    let outcome = steps::begin(&mut conn, record, saga).await?;
    assert_ne!(outcome, BeginOutcome::LimitReached);
    Ok(outcome == BeginOutcome::Begun)
}

async fn idempotency_state(harness: &Harness, record: &OrderRecord, key: &str) -> IdempotencyState {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let key = Key {
        scope: &record.order.consumer_id.to_string(),
        operation: PlaceOrder::OPERATION,
        key,
    };
    idempotency::find(&mut conn, key, REQUEST_HASH).await.unwrap()
}

fn placed(harness: &Harness) -> Transition {
    let now = harness.now();
    Transition {
        placed_at: Some(now),
        accept_within: Some(Duration::from_mins(10)),
        ..Transition::to(Status::Placed)
    }
}

async fn place(harness: &Harness, from: &OrderRecord, response: &[u8]) -> bool {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let now = harness.now();
    let key = Key {
        scope: &from.order.consumer_id.to_string(),
        operation: PlaceOrder::OPERATION,
        key: &from.placement.idempotency_key,
    };
    let event = order_placed(&from.order, now);
    let step = StepRecord {
        actor: Actor::Consumer,
        at: now,
        event: &event,
        response: Some((key, response)),
    };
    steps::advance(&mut conn, from, &placed(harness), step)
        .await
        .unwrap()
}

async fn count(harness: &Harness, table: &str) -> i64 {
    let query = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
    sqlx::query_scalar(query)
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn concurrent_requests_with_one_key_begin_one_order() {
    let harness = Harness::new().await;
    let first = harness.record(Status::PaymentPending);
    let records: Vec<OrderRecord> = (0..20)
        .map(|_| with_consumer(harness.record(Status::PaymentPending), first.order.consumer_id))
        .collect();
    let requests = records.iter().map(|record| begin(&harness, record, "key"));
    let begun = futures::future::join_all(requests).await;
    assert_eq!(
        begun.into_iter().filter(|begun| *begun.as_ref().unwrap()).count(),
        1
    );
    for table in ["orders", "order_history", "idempotency"] {
        assert_eq!(count(&harness, table).await, 1, "{table}");
    }
    assert_eq!(
        idempotency_state(&harness, &first, "key").await,
        IdempotencyState::Running
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_cannot_begin_does_not_use_its_key() {
    let harness = Harness::new().await;
    let first = harness.record(Status::PaymentPending);
    assert!(begin(&harness, &first, "first").await.unwrap());
    let second = with_consumer(harness.record(Status::PaymentPending), first.order.consumer_id);
    let same_cart = OrderRecord {
        order: Order {
            cart_id: first.order.cart_id.clone(),
            ..second.order
        },
        ..second
    };
    assert!(begin(&harness, &same_cart, "second").await.is_err());
    assert_eq!(
        idempotency_state(&harness, &first, "second").await,
        IdempotencyState::New
    );
    assert_eq!(count(&harness, "order_history").await, 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn the_response_equals_the_stored_order() {
    let harness = Harness::new().await;
    let begun = harness.record(Status::PaymentPending);
    let key = begun.placement.idempotency_key.clone();
    assert!(begin(&harness, &begun, &key).await.unwrap());
    harness.advance_clock(Duration::from_millis(1_234));
    // Reserving capacity changes the promised time, which is written with the next step.
    let reserved = OrderRecord {
        order: Order {
            ready_at: harness.now() + Duration::from_mins(7),
            start_at: harness.now(),
            ..begun.order
        },
        ..begun
    };
    let expected = reserved.after(&placed(&harness), harness.now());
    let history = history_when_placed(&reserved.order, Status::Placed, harness.now());
    assert!(place(&harness, &reserved, b"the response").await);

    let order_id = reserved.order.id;
    assert_eq!(harness.find(order_id).await, expected);
    let details = get_order(&harness.cx, reserved.order.consumer_id, order_id)
        .await
        .unwrap();
    assert_eq!((details.order, details.history), (expected.order, history));
    assert_eq!(
        idempotency_state(&harness, &reserved, &key).await,
        IdempotencyState::Finished(b"the response".to_vec())
    );
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["ordering.OrderPlaced"]
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_step_from_an_outdated_order_writes_nothing() {
    let harness = Harness::new().await;
    let record = harness.record(Status::PaymentPending);
    let key = record.placement.idempotency_key.clone();
    assert!(begin(&harness, &record, &key).await.unwrap());
    let outdated = |change: fn(&mut OrderRecord)| {
        let mut outdated = record.clone();
        change(&mut outdated);
        outdated
    };
    for from in [
        outdated(|record| record.placement.epoch = 2),
        outdated(|record| record.order.version = 2),
        outdated(|record| record.order.status = Status::Scheduled),
    ] {
        assert!(!place(&harness, &from, b"never").await);
    }
    assert_eq!(harness.status(record.order.id).await, Status::PaymentPending);
    assert_eq!(count(&harness, "order_history").await, 1);
    assert_eq!(count(&harness, "outbox").await, 0);
    assert_eq!(
        idempotency_state(&harness, &record, &key).await,
        IdempotencyState::Running
    );
    let attempts = (0..8).map(|_| place(&harness, &record, b"once"));
    let written = futures::future::join_all(attempts).await;
    assert_eq!(written.into_iter().filter(|written| *written).count(), 1);
    assert_eq!(count(&harness, "outbox").await, 1);
    harness.database.drop().await;
}
