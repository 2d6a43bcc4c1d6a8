use ordering::{
    MIGRATOR,
    db::{history, orders},
    domain::status::Actor,
};
use testing::Database;
use types::OrderId;

/// Rows as the first release wrote them.
const ROWS: &str = r#"
    INSERT INTO orders (id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name, store_address,
        time_zone, lines, currency, subtotal, discount, tax, tip, total, tax_rate_ppm, promo_code, points, tender,
        payment_method_id, pickup, vehicle, pickup_name, make_seconds, ready_at, start_at, not_after, created_at, reason)
    VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', gen_random_uuid(), gen_random_uuid(), 'c-1', 'cancelled', 2, 'key-1',
        'Sunset & Maltman', '1 Sunset Blvd', 'America/Los_Angeles', '[{
            "line_id": "1", "item_id": "itm_1", "item_name": "Iced latte", "size_id": "siz_1", "size_name": "Medium",
            "kind": "drink", "art": "{}", "quantity": 1, "unit_price": 950, "choices": [], "note": "extra hot",
            "amount": 950, "discount": 0
        }]', 'usd', 950, 0, 90, 200, 1240, 95000, '', 90, 'card', 'pay_1', 'counter', '', '', 120, now(), now(), now(),
        now(), 'PAYMENT_LAPSED');
    INSERT INTO order_history (order_id, version, status, at, by_whom)
    VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 2, 'cancelled', now(), 'system');
"#;

#[tokio::test]
async fn rows_of_the_first_release_are_kept_and_readable() {
    let database = Database::create(&[]).await;
    MIGRATOR.run_to(1, &database.pool).await.unwrap();
    sqlx::raw_sql(ROWS).execute(&database.pool).await.unwrap();
    MIGRATOR.run(&database.pool).await.unwrap();

    let order_id: OrderId = "ord_01h455vb4pex5vsknk084sn02q".parse().unwrap();
    let mut conn = database.pool.acquire().await.unwrap();
    let order = orders::find(&mut conn, order_id).await.unwrap().unwrap().order;
    assert_eq!(
        (order.reason.as_str(), order.lines[0].note.as_str()),
        ("PAYMENT_HOLD_EXPIRED", "extra hot")
    );
    let history = history::find(&mut conn, &[order_id]).await.unwrap();
    assert_eq!(history[&order_id][0].actor, Actor::System);
    drop(conn);
    database.drop().await;
}
