use std::borrow::Cow;

use accounts::MIGRATOR;
use sqlx::migrate::Migrator;
use testing::Database;

/// Creates a database with the first migrations.
async fn database_at(version: usize) -> Database {
    let first = MIGRATOR.iter().take(version).cloned().collect::<Vec<_>>();
    let before = Migrator {
        migrations: Cow::Owned(first),
        ..Migrator::DEFAULT
    };
    Database::create(&[&before]).await
}

#[tokio::test]
async fn renaming_attempts_keeps_their_rows() {
    let database = database_at(1).await;
    sqlx::raw_sql(
        "INSERT INTO tries VALUES ('+14155550123', 'hash', now(), 3);
         INSERT INTO challenges (id, phone, code_hash, sent_at, expires_at, tries)
         VALUES (gen_random_uuid(), '+14155550123', 'hash', now(), now(), 2);
         INSERT INTO messages (id, phone, body, created_at, give_up_at)
         VALUES (gen_random_uuid(), '+14155550123', 'text', now(), now());",
    )
    .execute(&database.pool)
    .await
    .unwrap();
    MIGRATOR.run(&database.pool).await.unwrap();
    let counts: (i32, i32) = sqlx::query_as(
        "SELECT sign_in_attempts.count, challenges.attempts FROM sign_in_attempts, challenges, messages
         WHERE messages.expires_at IS NOT NULL",
    )
    .fetch_one(&database.pool)
    .await
    .unwrap();
    assert_eq!(counts, (3, 2));
    database.drop().await;
}

#[tokio::test]
async fn verified_addresses_stay_verified() {
    let database = database_at(8).await;
    sqlx::raw_sql(
        "INSERT INTO consumers (id, phone, share_code, created_at, email, email_verified_at)
         VALUES (gen_random_uuid(), '+14155550123', 'ada', now(), 'ada@example.com', now()),
                (gen_random_uuid(), '+14155550124', 'bob', now(), 'bob@example.com', NULL)",
    )
    .execute(&database.pool)
    .await
    .unwrap();
    MIGRATOR.run(&database.pool).await.unwrap();
    let verified: Vec<Option<String>> =
        sqlx::query_scalar("SELECT verified_email FROM consumers ORDER BY share_code")
            .fetch_all(&database.pool)
            .await
            .unwrap();
    assert_eq!(verified, [Some("ada@example.com".to_owned()), None]);
    database.drop().await;
}
