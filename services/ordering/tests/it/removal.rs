use kit::idempotency::{self, IdempotencyState, Key};
use ordering::domain::{line::OrderLine, place_order::PlaceOrder, status::Status};
use proto::accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change};

use crate::harness::{Harness, line};

#[tokio::test]
async fn removing_a_consumer_erases_personal_data_and_keeps_amounts() {
    let harness = Harness::new().await;
    let mut record = harness.record(Status::Completed);
    let lines = ["for Maya", "extra hot"].map(|note| OrderLine {
        note: note.to_owned(),
        ..line()
    });
    record.order.lines = lines.to_vec();
    harness.insert(&record).await.unwrap();
    let scope = record.order.consumer_id.to_string();
    let key = Key {
        scope: &scope,
        operation: PlaceOrder::OPERATION,
        key: &record.placement.idempotency_key,
    };
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    assert!(idempotency::start(&mut conn, key, b"hash").await.unwrap());
    idempotency::finish(&mut conn, key, b"a response with a name in it")
        .await
        .unwrap();
    let removed = ConsumerEvent {
        consumer_id: scope.clone(),
        change: Some(Change::Removed(ConsumerRemoved {})),
        ..ConsumerEvent::default()
    };
    harness.consume(&removed).await;
    assert_eq!(
        idempotency::find(&mut conn, key, b"hash").await.unwrap(),
        IdempotencyState::New
    );
    drop(conn);
    let order = harness.find(record.order.id).await.order;
    assert_eq!((order.vehicle.as_str(), order.pickup_name.as_str()), ("", ""));
    assert_eq!(order.lines, [line(), line()], "the same lines without notes");
    assert_eq!(order.totals, record.order.totals);
    harness.database.drop().await;
}
