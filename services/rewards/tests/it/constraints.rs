//! Constraints of the schema.

use crate::harness::Harness;

async fn violated_constraint(harness: &Harness, statement: String) -> String {
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
async fn invalid_promos_violate_a_constraint() {
    let harness = Harness::start().await;
    for (values, constraint) in [
        ("'free', 100, NULL, 0, now(), NULL, NULL, 0", "promos_code_format"),
        ("'WELCOME3', 100, NULL, 0, now(), NULL, NULL, 0", "promos_pkey"),
        (
            "'BOTH', 100, 100, 0, now(), NULL, NULL, 0",
            "promos_amount_or_rate",
        ),
        (
            "'NONE', NULL, NULL, 0, now(), NULL, NULL, 0",
            "promos_amount_or_rate",
        ),
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
            "promos_ends_after_start",
        ),
        (
            "'OVER', 1, NULL, 0, now(), NULL, 5, 6",
            "promos_claim_count_range",
        ),
    ] {
        let insert = format!(
            "INSERT INTO promos (code, amount, rate_ppm, minimum, starts_at, ends_at, max_claims, claim_count, once)
             VALUES ({values}, true)"
        );
        assert_eq!(violated_constraint(&harness, insert).await, constraint);
    }
    harness.close().await;
}

#[tokio::test]
async fn invalid_claims_violate_a_constraint() {
    let harness = Harness::start().await;
    for (values, constraint) in [
        ("'lost', 'FRESH10', 640, 64", "claims_state_known"),
        ("'claimed', 'NOSUCH', 640, 64", "claims_promo"),
        ("'claimed', 'FRESH10', 640, 641", "claims_amount_range"),
        ("'claimed', 'FRESH10', 640, -1", "claims_amount_range"),
        ("'claimed', NULL, NULL, NULL", "claims_discount_unless_closed"),
        ("'closed', 'FRESH10', 640, 64", "claims_discount_unless_closed"),
        ("'claimed', 'FRESH10', NULL, 64", "claims_discount_unless_closed"),
    ] {
        let insert = format!(
            "INSERT INTO claims (order_id, state, code, subtotal, amount, created_at, changed_at)
             VALUES (gen_random_uuid(), {values}, now(), now())"
        );
        assert_eq!(
            violated_constraint(&harness, insert).await,
            constraint,
            "{values}"
        );
    }
    let insert_twice = |claimant: &str| {
        format!(
            "INSERT INTO claims (order_id, state, code, consumer_id, phone_hash, subtotal, amount, once, created_at, changed_at)
             SELECT gen_random_uuid(), 'claimed', 'WELCOME3', {claimant}, 640, 300, true, now(), now()
             FROM generate_series(1, 2)"
        )
    };
    assert_eq!(
        violated_constraint(
            &harness,
            insert_twice("'018f0000-0000-7000-8000-000000000001', NULL")
        )
        .await,
        "claims_once_per_consumer"
    );
    assert_eq!(
        violated_constraint(&harness, insert_twice("gen_random_uuid(), 'hash'")).await,
        "claims_once_per_phone"
    );
    harness.close().await;
}

#[tokio::test]
async fn other_invalid_rows_violate_a_constraint() {
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
            "consumers_removed_have_no_phone_hash",
        ),
        (message("gen_random_uuid()", "ready"), "messages_consumer"),
        (message(demo, "welcome"), "messages_reference_unique"),
    ] {
        assert_eq!(violated_constraint(&harness, insert).await, constraint);
    }
    harness.close().await;
}

fn message(consumer: &str, reference: &str) -> String {
    format!(
        "INSERT INTO messages (message_id, consumer_id, reference, kind, title, body, created_at)
         VALUES (gen_random_uuid(), {consumer}, '{reference}', 'k', 't', 'b', now())"
    )
}

#[tokio::test]
async fn invalid_contents_violate_a_constraint() {
    let harness = Harness::start().await;
    for (statement, constraint) in [
        (
            "UPDATE promos SET weekdays = '{0}' WHERE code = 'FRESH10'",
            "promos_weekdays_range",
        ),
        (
            "UPDATE promos SET company_name = 'Corner Cafe' WHERE code = 'FRESH10'",
            "promos_company_with_name",
        ),
        (
            "UPDATE promos SET max_claims_per_consumer = 0 WHERE code = 'FRESH10'",
            "promos_max_claims_per_consumer_positive",
        ),
        (
            "UPDATE reward_tiers SET amount = 0",
            "reward_tiers_amount_positive",
        ),
        ("UPDATE offers SET promo_code = 'NOSUCH'", "offers_promo"),
        (
            "UPDATE landing_pages SET promo_code = 'NOSUCH'",
            "landing_pages_promo",
        ),
        (
            "INSERT INTO message_texts SELECT kind, 'another', title, body FROM message_texts",
            "message_texts_pkey",
        ),
        ("UPDATE challenges SET goal = 'naps'", "challenges_goal_known"),
        ("UPDATE challenges SET target = 0", "challenges_target_positive"),
        ("UPDATE challenges SET points = 0", "challenges_points_positive"),
        (
            "UPDATE challenges SET ends_at = starts_at",
            "challenges_ends_after_start",
        ),
        (
            "INSERT INTO challenge_claims (challenge_id, consumer_id, points, claimed_at)
             SELECT 'nosuch', consumer_id, 1, now() FROM consumers LIMIT 1",
            "challenge_claims_challenge",
        ),
        (
            "INSERT INTO challenge_claims (challenge_id, consumer_id, points, claimed_at)
             VALUES ('explorer', gen_random_uuid(), 1, now())",
            "challenge_claims_consumer",
        ),
        (
            "INSERT INTO challenge_claims (challenge_id, consumer_id, points, claimed_at)
             SELECT 'explorer', consumer_id, 1, now() FROM consumers, generate_series(1, 2)",
            "challenge_claims_once",
        ),
        (
            "INSERT INTO invitations (friend_id, referrer_id, invited_at)
             SELECT consumer_id, consumer_id, now() FROM consumers LIMIT 1",
            "invitations_of_others",
        ),
        (
            "INSERT INTO invitations (friend_id, invited_at)
             SELECT consumer_id, now() FROM consumers, generate_series(1, 2)",
            "invitations_friend_unique",
        ),
        (
            "INSERT INTO invitations (phone_hash, invited_at) SELECT 'a', now() FROM generate_series(1, 2)",
            "invitations_phone_unique",
        ),
        (
            "INSERT INTO invitations (friend_points, invited_at) VALUES (-1, now())",
            "invitations_points_not_negative",
        ),
    ] {
        assert_eq!(
            violated_constraint(&harness, statement.to_owned()).await,
            constraint
        );
    }
    harness.close().await;
}
