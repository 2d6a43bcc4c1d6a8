//! Migrations that rename tables and columns keep their data.

use testing::Database;

/// The migrations before `0006_plain_names.sql`, with a store that has a reservation and a menu.
const BEFORE: &[&str] = &[
    include_str!("../../migrations/0001_stores.sql"),
    include_str!("../../migrations/0002_menus.sql"),
    include_str!("../../migrations/0003_capacity.sql"),
    include_str!("../../migrations/0004_people.sql"),
    include_str!("../../migrations/0005_turns.sql"),
    "INSERT INTO companies (company_id, name) VALUES (gen_random_uuid(), 'Company');
     INSERT INTO stores (store_id, company_id, store_number, name, street, city, region, postcode, phone, latitude,
                         longitude, time_zone, tax_rate_ppm, curbside, baristas, search_text)
     SELECT gen_random_uuid(), company_id, '1', 'Store', '', '', '', '', '', 0, 0, 'America/Chicago', 0, true, 1, ''
     FROM companies;
     INSERT INTO store_turns SELECT store_id, 7 FROM stores;
     INSERT INTO make_slices SELECT store_id, 5, 60, 300 FROM stores;
     INSERT INTO reservations (order_id, store_id, make_seconds, start_at, ready_at, slices, seconds, reserved_at)
     SELECT gen_random_uuid(), store_id, 60, now(), now(), '{5}', '{60}', now() FROM stores;
     INSERT INTO categories SELECT gen_random_uuid(), company_id, 'Coffee', 1 FROM companies;
     INSERT INTO items SELECT gen_random_uuid(), category_id, 'Latte', '', 'drink', '{}', '{}', 60, 1 FROM categories;
     INSERT INTO sizes SELECT gen_random_uuid(), item_id, 'small', 'Small', 8, 400, 1, 1, true FROM items;",
];

const RENAME: &str = include_str!("../../migrations/0006_plain_names.sql");

const AFTER: &str = "SELECT format('%s %s %s %s %s %s', v.version, c.slot, c.used_seconds, r.slots, r.slot_seconds, s.cup_size)
    FROM store_schedule_versions v JOIN capacity_slots c USING (store_id) JOIN reservations r USING (store_id), sizes s";

#[tokio::test]
async fn plain_names_keep_the_data() {
    let database = Database::create(&[]).await;
    for statements in BEFORE {
        sqlx::raw_sql(*statements).execute(&database.pool).await.unwrap();
    }
    sqlx::raw_sql(RENAME).execute(&database.pool).await.unwrap();
    let row: String = sqlx::query_scalar(AFTER).fetch_one(&database.pool).await.unwrap();
    assert_eq!(row, "7 5 60 {5} {60} small");
    database.drop().await;
}
