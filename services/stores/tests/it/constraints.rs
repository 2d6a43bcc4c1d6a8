//! Each constraint of the schema rejects the statement that violates it.

use crate::harness::Harness;

/// Constraint and a statement that violates it.
const VIOLATIONS: &[(&str, &str)] = &[
    (
        "companies_name_unique",
        "INSERT INTO companies (company_id, name) SELECT gen_random_uuid(), name FROM companies LIMIT 1",
    ),
    (
        "companies_name_length",
        "INSERT INTO companies (company_id, name) VALUES (gen_random_uuid(), '')",
    ),
    (
        "stores_company_fkey",
        "UPDATE stores SET company_id = gen_random_uuid()",
    ),
    ("stores_number_unique", "UPDATE stores SET store_number = 'one'"),
    ("stores_name_length", "UPDATE stores SET name = ''"),
    ("stores_latitude_range", "UPDATE stores SET latitude = 90.1"),
    ("stores_longitude_range", "UPDATE stores SET longitude = -180.1"),
    ("stores_tax_rate_range", "UPDATE stores SET tax_rate_ppm = -1"),
    ("stores_baristas_range", "UPDATE stores SET baristas = 0"),
    (
        "stores_pause_reason_known",
        "UPDATE stores SET pause_reason = 'lunch'",
    ),
    (
        "store_special_days_store_fkey",
        "INSERT INTO store_special_days VALUES (gen_random_uuid(), '2026-12-25', '')",
    ),
    (
        "store_special_days_name_length",
        "INSERT INTO store_special_days SELECT store_id, '2026-12-25', repeat('x', 61) FROM stores LIMIT 1",
    ),
    (
        "store_special_openings_day_fkey",
        "INSERT INTO store_special_openings SELECT store_id, '2026-12-25', 480, 720 FROM stores LIMIT 1",
    ),
    (
        "store_special_openings_opens_range",
        "INSERT INTO store_special_openings SELECT store_id, '2026-12-25', 1440, 1500 FROM stores LIMIT 1",
    ),
    (
        "store_special_openings_closes_range",
        "INSERT INTO store_special_openings SELECT store_id, '2026-12-25', 720, 480 FROM stores LIMIT 1",
    ),
    (
        "store_shifts_store_fkey",
        "INSERT INTO store_shifts VALUES (gen_random_uuid(), '2026-12-25', 2)",
    ),
    (
        "store_shifts_baristas_range",
        "INSERT INTO store_shifts SELECT store_id, '2026-12-25', 0 FROM stores LIMIT 1",
    ),
    (
        "store_hours_pkey",
        "INSERT INTO store_hours SELECT * FROM store_hours LIMIT 1",
    ),
    ("store_hours_weekday_range", "UPDATE store_hours SET weekday = 8"),
    (
        "store_hours_opens_range",
        "UPDATE store_hours SET opens_minute = -1",
    ),
    (
        "store_hours_closes_range",
        "UPDATE store_hours SET closes_minute = opens_minute",
    ),
    ("categories_position_unique", "UPDATE categories SET position = 1"),
    ("items_position_unique", "UPDATE items SET position = 1"),
    ("items_kind_known", "UPDATE items SET kind = 'hat'"),
    ("items_make_seconds_range", "UPDATE items SET make_seconds = -1"),
    ("sizes_cup_size_known", "UPDATE sizes SET cup_size = 'huge'"),
    ("sizes_cup_size_unique", "UPDATE sizes SET cup_size = 'small'"),
    ("sizes_one_default", "UPDATE sizes SET is_default = true"),
    ("sizes_price_range", "UPDATE sizes SET price_cents = -1"),
    ("sizes_ounces_range", "UPDATE sizes SET ounces = -1"),
    ("sizes_nutrition_not_negative", "UPDATE sizes SET calories = -1"),
    ("choices_position_unique", "UPDATE choices SET position = 0"),
    (
        "choices_max_quantity_range",
        "UPDATE choices SET max_quantity = 0",
    ),
    (
        "choice_prices_cup_size_known",
        "UPDATE choice_prices SET cup_size = 'huge'",
    ),
    (
        "choice_prices_price_range",
        "UPDATE choice_prices SET price_cents = -1",
    ),
    (
        "item_modifications_limits",
        "UPDATE item_modifications SET min_choices = max_choices + 1",
    ),
    (
        "item_modifications_included_range",
        "UPDATE item_modifications SET included = -1",
    ),
    (
        "item_defaults_quantity_range",
        "UPDATE item_defaults SET quantity = 0",
    ),
    ("sold_out_subject_known", "UPDATE sold_out SET subject = 'mood'"),
    (
        "capacity_slots_not_overbooked",
        "INSERT INTO capacity_slots SELECT store_id, 1, 601, 600 FROM stores LIMIT 1",
    ),
    (
        "capacity_slots_not_negative",
        "INSERT INTO capacity_slots SELECT store_id, 1, -1, 600 FROM stores LIMIT 1",
    ),
    (
        "reservations_active_or_released",
        "INSERT INTO reservations (order_id, make_seconds, slots, slot_seconds) VALUES (gen_random_uuid(), 1, '{}', '{}')",
    ),
    (
        "reservations_slots_match",
        "INSERT INTO reservations (order_id, make_seconds, slots, slot_seconds, released_at)
         VALUES (gen_random_uuid(), 1, '{1}', '{}', now())",
    ),
    (
        "store_schedule_versions_store_fkey",
        "INSERT INTO store_schedule_versions VALUES (gen_random_uuid(), 1)",
    ),
    (
        "store_credentials_secret_unique",
        "UPDATE store_credentials SET secret_hash = sha256('')",
    ),
    (
        "store_credentials_secret_length",
        "UPDATE store_credentials SET secret_hash = 'short'",
    ),
    (
        "favorites_store_fkey",
        "INSERT INTO favorites VALUES (gen_random_uuid(), gen_random_uuid(), now())",
    ),
    (
        "usual_items_store_fkey",
        "INSERT INTO usual_items VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'a', gen_random_uuid(),
         gen_random_uuid(), '[]', '', '', now())",
    ),
    (
        "usual_items_name_length",
        "INSERT INTO usual_items SELECT gen_random_uuid(), gen_random_uuid(), store_id, '', gen_random_uuid(),
         gen_random_uuid(), '[]', '', '', now() FROM stores LIMIT 1",
    ),
    (
        "usual_items_content_unique",
        "INSERT INTO usual_items SELECT gen_random_uuid(), company_id, store_id, 'a', gen_random_uuid(),
         gen_random_uuid(), '[]', '', '', now() FROM stores",
    ),
    (
        "item_sales_store_fkey",
        "INSERT INTO item_sales VALUES (gen_random_uuid(), gen_random_uuid(), now(), 1)",
    ),
    (
        "item_sales_quantity_positive",
        "INSERT INTO item_sales SELECT store_id, gen_random_uuid(), now(), 0 FROM stores",
    ),
    (
        "item_pair_sales_store_fkey",
        "INSERT INTO item_pair_sales VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 1)",
    ),
    (
        "item_pair_sales_orders_positive",
        "INSERT INTO item_pair_sales SELECT store_id, gen_random_uuid(), gen_random_uuid(), now(), 0 FROM stores",
    ),
    (
        "item_pair_sales_items_differ",
        "INSERT INTO item_pair_sales SELECT store_id, store_id, store_id, now(), 1 FROM stores",
    ),
    (
        "companies_description_check",
        "UPDATE companies SET description = repeat('x', 501)",
    ),
    (
        "ratings_stars_check",
        "INSERT INTO ratings SELECT store_id, now(), 2, 11 FROM stores",
    ),
    (
        "ratings_stars_check",
        "INSERT INTO ratings SELECT store_id, now(), 2, 1 FROM stores",
    ),
    (
        "staff_devices_pkey",
        "INSERT INTO staff_devices SELECT store_id, sha256('a'), now() FROM (SELECT store_id FROM stores LIMIT 1) AS one,
         generate_series(1, 2)",
    ),
    (
        "staff_devices_store_fkey",
        "INSERT INTO staff_devices VALUES (gen_random_uuid(), sha256('a'), now())",
    ),
    (
        "staff_devices_hash_length",
        "INSERT INTO staff_devices SELECT store_id, 'short', now() FROM stores",
    ),
    (
        "webhook_subscriptions_company_fkey",
        "INSERT INTO webhook_subscriptions SELECT gen_random_uuid(), company_id, 'https://a', '{order.ready}', sha256('a'), NULL,
         NULL, false, now() FROM (SELECT gen_random_uuid() AS company_id) AS none",
    ),
    (
        "webhook_subscriptions_url_unique",
        "INSERT INTO webhook_subscriptions SELECT gen_random_uuid(), company_id, 'https://a', '{order.ready}', sha256('a'), NULL,
         NULL, false, now() FROM companies, generate_series(1, 2)",
    ),
    (
        "webhook_subscriptions_url_length",
        "INSERT INTO webhook_subscriptions SELECT gen_random_uuid(), company_id, '', '{order.ready}', sha256('a'), NULL,
         NULL, false, now() FROM companies",
    ),
    (
        "webhook_subscriptions_event_kinds_count",
        "INSERT INTO webhook_subscriptions SELECT gen_random_uuid(), company_id, 'https://a', '{}', sha256('a'), NULL,
         NULL, false, now() FROM companies",
    ),
    (
        "webhook_subscriptions_secret_length",
        "INSERT INTO webhook_subscriptions SELECT gen_random_uuid(), company_id, 'https://a', '{order.ready}', 'short', NULL,
         NULL, false, now() FROM companies",
    ),
    (
        "webhook_subscriptions_previous_secret_ends",
        "INSERT INTO webhook_subscriptions SELECT gen_random_uuid(), company_id, 'https://a', '{order.ready}', sha256('a'), sha256('b'),
         NULL, false, now() FROM companies",
    ),
    (
        "webhook_deliveries_subscription_fkey",
        "INSERT INTO webhook_deliveries (delivery_id, subscription_id, event_id, event_kind, payload, next_attempt_at,
         retry_until, created_at)
         VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'order.ready', '{}', now(), now(), now())",
    ),
];

#[tokio::test]
async fn every_constraint_rejects_a_violation() {
    let harness = Harness::seeded().await;
    for (constraint, statement) in VIOLATIONS {
        let error = sqlx::query(*statement)
            .execute(&harness.database.pool)
            .await
            .unwrap_err();
        let violated = error
            .as_database_error()
            .and_then(|error| error.constraint())
            .map(str::to_owned);
        assert_eq!(violated.as_deref(), Some(*constraint), "{error}");
    }
    harness.close().await;
}
