//! A removed consumer: nothing says anything about the person any more, and the money stays.

use proto::accounts::v1::ConsumerRemoved;
use proto::payments::v1::AddCardRequest;
use proto::payments::v1::payments_server::Payments as _;

use crate::harness::{Card, World, order, into_result};

#[tokio::test]
async fn a_removed_consumer_is_forgotten() {
    let world = World::new().await;
    let ada = world.consumer();
    let card = ada.adds(Card::Good).await;
    let order = order();
    world.authorize(order, &ada, &card).await.unwrap();
    let removed = ConsumerRemoved {
        consumer_id: ada.id.to_string(),
        phone_hash: String::new(),
    };
    world.consume(&removed).await;
    world.consume(&removed).await;
    world.carry_out().await;

    assert_eq!(world.sandbox.attached().await, 0);
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT payment_methods::text FROM payment_methods UNION ALL SELECT charges::text FROM charges",
    )
    .fetch_all(&world.cx.pool)
    .await
    .unwrap();
    assert!(
        rows.iter()
            .all(|row| !row.contains("4242") && !row.contains("visa")),
        "{rows:?}"
    );
    let whose: i64 = sqlx::query_scalar("SELECT count(*) FROM charges WHERE consumer_id IS NOT NULL")
        .fetch_one(&world.cx.pool)
        .await
        .unwrap();
    assert_eq!((whose, world.count("charges").await), (0, 1));

    // What comes late meets the tombstone, also for a consumer who never had a card.
    let late = into_result(world.grpc().add_card(ada.request(AddCardRequest {})).await);
    assert_eq!(late.unwrap_err().reason, "CONSUMER_REMOVED");
    let stranger = world.consumer();
    world
        .consume(&ConsumerRemoved {
            consumer_id: stranger.id.to_string(),
            phone_hash: String::new(),
        })
        .await;
    let late = into_result(world.grpc().add_card(stranger.request(AddCardRequest {})).await);
    assert_eq!(late.unwrap_err().reason, "CONSUMER_REMOVED");
    world.end().await;
}
