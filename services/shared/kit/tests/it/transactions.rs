use std::{pin::pin, time::Duration};

use futures::poll;
use kit::{lifecycle::Process, postgres};
use sqlx::{PgPool, PgTransaction};
use testing::Database;

async fn begin(pool: &PgPool, round: i32) -> sqlx::Result<PgTransaction<'static>> {
    if round % 2 == 0 {
        return postgres::begin(pool).await;
    }
    postgres::begin_with(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
}

/// Each round drops the future at another time: before, while and after the server executes `BEGIN`.
#[tokio::test]
async fn a_dropped_begin_leaves_no_open_transaction() {
    let database = Database::create(&[]).await;
    let process = Process::detached("test");
    let pool = postgres::connect(&process, &database.url).await.unwrap();
    sqlx::query("CREATE TABLE effects (round int)")
        .execute(&pool)
        .await
        .unwrap();
    for round in 0..60 {
        {
            let mut begin = pin!(begin(&pool, round));
            for _ in 0..round / 2 % 6 {
                let begun = poll!(&mut begin).is_ready();
                if begun {
                    break;
                }
                tokio::time::sleep(Duration::from_micros(50)).await;
            }
        }
        sqlx::query("INSERT INTO effects VALUES ($1)")
            .bind(round)
            .execute(&pool)
            .await
            .unwrap();
    }
    // Another connection reads only what was committed.
    let committed: Vec<i32> = sqlx::query_scalar("SELECT round FROM effects ORDER BY round")
        .fetch_all(&database.pool)
        .await
        .unwrap();
    assert_eq!(committed, (0..60).collect::<Vec<_>>());
    pool.close().await;
    database.drop().await;
}
