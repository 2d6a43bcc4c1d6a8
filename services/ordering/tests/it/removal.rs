use kit::{
    consumer::Handler,
    idempotency::{self, IdempotencyState, Key},
};
use ordering::{consumers::Consumers, db::orders, domain::cart::Line};
use proto::accounts::v1::ConsumerRemoved;
use sqlx::types::Json;

use crate::harness::{Harness, line};

#[tokio::test]
async fn a_removed_consumer_leaves_sums_and_no_words() {
    let harness = Harness::new().await;
    let mut row = harness.row("completed");
    let lines = ["for Maya", "extra hot"].map(|note| Line {
        note: note.to_owned(),
        ..line()
    });
    row.lines = Json(lines.to_vec());
    harness.insert(&row).await.unwrap();
    let scope = row.consumer().to_string();
    let key = Key {
        scope: &scope,
        operation: "place_order",
        key: &row.idempotency_key,
    };
    let mut tx = harness.cx.pool.begin().await.unwrap();
    assert!(idempotency::start(&mut tx, key, b"hash").await.unwrap());
    idempotency::finish(&mut tx, key, b"an answer with a name in it")
        .await
        .unwrap();
    let removed = ConsumerRemoved {
        consumer_id: scope.clone(),
        ..Default::default()
    };
    let event = harness.event(&removed);
    let consumers = Consumers(harness.cx.clone());
    consumers.handle(&event, &mut tx).await.unwrap();
    assert_eq!(
        idempotency::find(&mut tx, key, b"hash").await.unwrap(),
        IdempotencyState::None
    );
    let left = orders::find(&mut tx, row.order_id()).await.unwrap().unwrap();
    assert_eq!((left.vehicle.as_str(), left.pickup_name.as_str()), ("", ""));
    assert_eq!(
        left.lines.0,
        [line(), line()],
        "the same items, without the wishes"
    );
    tx.rollback().await.unwrap();
    drop(harness.cx);
    harness.database.drop().await;
}
