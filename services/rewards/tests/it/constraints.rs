//! What the schema itself refuses, whoever writes.

use crate::harness::Harness;

async fn violated(harness: &Harness, statement: String) -> String {
    let error = sqlx::query(sqlx::AssertSqlSafe(statement))
        .execute(&harness.cx.pool)
        .await
        .unwrap_err();
    error
        .as_database_error()
        .and_then(|error| error.constraint())
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn impossible_promos_violate_a_constraint() {
    let harness = Harness::start().await;
    for (values, constraint) in [
        ("'free', 100, NULL, 0, now(), NULL, NULL, 0", "promos_code_form"),
        ("'WELCOME3', 100, NULL, 0, now(), NULL, NULL, 0", "promos_pkey"),
        ("'BOTH', 100, 100, 0, now(), NULL, NULL, 0", "promos_one_kind"),
        ("'NONE', NULL, NULL, 0, now(), NULL, NULL, 0", "promos_one_kind"),
        (
            "'LESS', -1, NULL, 0, now(), NULL, NULL, 0",
            "promos_amount_positive",
        ),
        (
            "'MORE', NULL, 1000001, 0, now(), NULL, NULL, 0",
            "promos_rate_range",
        ),
        (
            "'NEGATIVE', 1, NULL, -1, now(), NULL, NULL, 0",
            "promos_minimum_not_negative",
        ),
        (
            "'BACKWARDS', 1, NULL, 0, now(), now() - interval '1 day', NULL, 0",
            "promos_window",
        ),
        ("'OVER', 1, NULL, 0, now(), NULL, 5, 6", "promos_claimed_range"),
    ] {
        let insert = format!(
            "INSERT INTO promos (code, amount, rate_ppm, minimum, starts_at, ends_at, most_claims, claimed, once)
             VALUES ({values}, true)"
        );
        assert_eq!(violated(&harness, insert).await, constraint);
    }
    harness.close().await;
}

#[tokio::test]
async fn impossible_claims_violate_a_constraint() {
    let harness = Harness::start().await;
    for (values, constraint) in [
        ("'lost', 'FRESH10', 640, 64", "claims_state_known"),
        ("'claimed', 'NOSUCH', 640, 64", "claims_promo"),
        ("'claimed', 'FRESH10', 640, 641", "claims_amount_range"),
        ("'claimed', 'FRESH10', 640, -1", "claims_amount_range"),
        ("'claimed', NULL, NULL, NULL", "claims_closed_claims_nothing"),
        ("'closed', 'FRESH10', 640, 64", "claims_closed_claims_nothing"),
        ("'claimed', 'FRESH10', NULL, 64", "claims_closed_claims_nothing"),
    ] {
        let insert = format!(
            "INSERT INTO claims (order_id, state, code, subtotal, amount, created_at, changed_at)
             VALUES (gen_random_uuid(), {values}, now(), now())"
        );
        assert_eq!(violated(&harness, insert).await, constraint, "{values}");
    }
    let twice = |claimant: &str| {
        format!(
            "INSERT INTO claims (order_id, state, code, consumer_id, phone_hash, subtotal, amount, once, created_at, changed_at)
             SELECT gen_random_uuid(), 'claimed', 'WELCOME3', {claimant}, 640, 300, true, now(), now()
             FROM generate_series(1, 2)"
        )
    };
    assert_eq!(
        violated(&harness, twice("'018f0000-0000-7000-8000-000000000001', NULL")).await,
        "claims_once_a_consumer"
    );
    assert_eq!(
        violated(&harness, twice("gen_random_uuid(), 'hash'")).await,
        "claims_once_a_phone"
    );
    harness.close().await;
}

#[tokio::test]
async fn other_impossible_rows_violate_a_constraint() {
    let harness = Harness::start().await;
    let demo = "'018f0000-0000-7000-8000-000000000001'";
    for (insert, constraint) in [
        (
            "INSERT INTO reward_tiers VALUES (0, 'Nothing')".to_owned(),
            "reward_tiers_points_positive",
        ),
        (
            "INSERT INTO order_points (order_id, refunded) VALUES (gen_random_uuid(), -1)".to_owned(),
            "order_points_not_negative",
        ),
        (
            format!(
                "UPDATE consumers SET phone_hash = 'hash', removed_at = now() WHERE consumer_id = {demo}"
            ),
            "consumers_removed_are_forgotten",
        ),
        (message("gen_random_uuid()", "ready"), "messages_consumer"),
        (message(demo, "welcome"), "messages_told_once"),
    ] {
        assert_eq!(violated(&harness, insert).await, constraint);
    }
    harness.close().await;
}

fn message(consumer: &str, reference: &str) -> String {
    format!(
        "INSERT INTO messages (message_id, consumer_id, reference, kind, title, body, created_at)
         VALUES (gen_random_uuid(), {consumer}, '{reference}', 'k', 't', 'b', now())"
    )
}
