use std::borrow::Cow;

use accounts::MIGRATOR;
use sqlx::migrate::Migrator;
use testing::Database;

#[tokio::test]
async fn renaming_attempts_keeps_their_rows() {
    let first = MIGRATOR.iter().take(1).cloned().collect::<Vec<_>>();
    let before = Migrator {
        migrations: Cow::Owned(first),
        ..Migrator::DEFAULT
    };
    let database = Database::create(&[&before]).await;
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
