//! Each step is written whole or not at all, and what is answered is what is kept.

use std::time::Duration;

use jiff_sqlx::ToSqlx;
use kit::{
    idempotency::{self, IdempotencyState, Key},
    outbox::Entry,
};
use ordering::{
    db::{
        orders::{self, Row},
        steps::{self, Beginning, Change, Record},
    },
    domain::order::{Actor, Status},
    ops::read,
};
use proto::ordering::v1::OrderPlaced;

use crate::harness::Harness;

const HASH: &[u8] = b"what was asked";

async fn begin(harness: &Harness, row: &Row, key: &str) -> Result<bool, sqlx::Error> {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let beginning = Beginning {
        key: Key {
            scope: &row.consumer().to_string(),
            operation: "place_order",
            key,
        },
        request_hash: HASH,
        lease_until: harness.now() + harness.cx.rules.saga(),
    };
    steps::begin(&mut conn, row, beginning).await
}

/// What stands under a key of the row's consumer.
async fn earlier(harness: &Harness, row: &Row, key: &str) -> IdempotencyState {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let key = Key {
        scope: &row.consumer().to_string(),
        operation: "place_order",
        key,
    };
    idempotency::find(&mut conn, key, HASH).await.unwrap()
}

fn placed(harness: &Harness) -> Change<'static> {
    let now = harness.now();
    Change {
        status: Status::Placed,
        reason: "",
        message: "",
        placed_at: Some(now),
        accept_by: Some(now + Duration::from_secs(600)),
    }
}

async fn place(harness: &Harness, from: &Row, answer: &[u8]) -> bool {
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let now = harness.now();
    let key = Key {
        scope: &from.consumer().to_string(),
        operation: "place_order",
        key: &from.idempotency_key,
    };
    let record = Record {
        by: Actor::Consumer,
        at: now,
        fact: &Entry::of(from.order_id().to_string(), 2, now, &OrderPlaced { order: None }),
        answer: Some((key, answer)),
    };
    steps::advance(&mut conn, from, &placed(harness), &record)
        .await
        .unwrap()
}

async fn count(harness: &Harness, table: &str) -> i64 {
    let question = sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
    sqlx::query_scalar(question)
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap()
}

#[tokio::test]
async fn of_twenty_that_begin_under_one_key_one_does() {
    let harness = Harness::new().await;
    let row = harness.row("payment_pending");
    let rows: Vec<Row> = (0..20)
        .map(|_| Row {
            consumer_id: row.consumer_id,
            ..harness.row("payment_pending")
        })
        .collect();
    let begun = futures::future::join_all(rows.iter().map(|row| begin(&harness, row, "key"))).await;
    assert_eq!(
        begun.into_iter().filter(|begun| *begun.as_ref().unwrap()).count(),
        1
    );
    for table in ["orders", "order_history", "idempotency"] {
        assert_eq!(count(&harness, table).await, 1, "{table}");
    }
    assert_eq!(earlier(&harness, &row, "key").await, IdempotencyState::Running);
    harness.database.drop().await;
}

#[tokio::test]
async fn an_order_that_cannot_begin_takes_no_key() {
    let harness = Harness::new().await;
    let first = harness.row("payment_pending");
    assert!(begin(&harness, &first, "first").await.unwrap());
    let same_cart = Row {
        consumer_id: first.consumer_id,
        cart_id: first.cart_id.clone(),
        ..harness.row("payment_pending")
    };
    assert!(begin(&harness, &same_cart, "second").await.is_err());
    assert_eq!(earlier(&harness, &first, "second").await, IdempotencyState::None);
    assert_eq!(count(&harness, "order_history").await, 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn what_is_answered_is_what_is_kept() {
    let harness = Harness::new().await;
    let begun = harness.row("payment_pending");
    assert!(begin(&harness, &begun, &begun.idempotency_key).await.unwrap());
    harness.later(Duration::from_millis(1_234));
    let promised = (harness.now() + Duration::from_secs(420)).to_sqlx();
    let row = Row {
        ready_at: promised,
        start_at: harness.now().to_sqlx(),
        ..begun
    };
    let after = row.after(&placed(&harness));
    let history = read::begun_then(&row, Status::Placed, harness.now(), Actor::Consumer);
    assert!(place(&harness, &row, b"the answer").await);

    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let kept = orders::find(&mut conn, row.order_id()).await.unwrap().unwrap();
    drop(conn);
    assert_eq!(format!("{kept:?}"), format!("{after:?}"));
    let shown = read::get(&harness.cx, row.consumer(), row.order_id())
        .await
        .unwrap();
    assert_eq!(shown.history, history);
    assert_eq!(
        earlier(&harness, &row, &row.idempotency_key).await,
        IdempotencyState::Finished(b"the answer".to_vec())
    );
    assert_eq!(harness.database.outbox_event_types().await, ["ordering.OrderPlaced"]);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_step_from_what_the_order_no_longer_is_writes_nothing() {
    let harness = Harness::new().await;
    let row = harness.row("payment_pending");
    assert!(begin(&harness, &row, &row.idempotency_key).await.unwrap());
    let stale = [
        Row {
            epoch: 2,
            ..row.clone()
        },
        Row {
            version: 2,
            ..row.clone()
        },
        Row {
            status: "scheduled".to_owned(),
            ..row.clone()
        },
    ];
    for from in stale {
        assert!(!place(&harness, &from, b"never").await);
    }
    assert_eq!(harness.status(row.order_id()).await, "payment_pending");
    assert_eq!(count(&harness, "order_history").await, 1);
    assert_eq!(count(&harness, "outbox").await, 0);
    assert_eq!(
        earlier(&harness, &row, &row.idempotency_key).await,
        IdempotencyState::Running
    );
    let places = (0..8).map(|_| place(&harness, &row, b"once"));
    let won = futures::future::join_all(places).await;
    assert_eq!(won.into_iter().filter(|won| *won).count(), 1);
    assert_eq!(count(&harness, "outbox").await, 1);
    harness.database.drop().await;
}
