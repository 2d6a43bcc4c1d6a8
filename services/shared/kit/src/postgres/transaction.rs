//! Transactions that a dropped future cannot leave open.

use sqlx::{
    PgConnection, PgPool, PgTransaction, Postgres, SqlSafeStr, SqlStr, Transaction, pool::PoolConnection,
};
use tracing::Instrument;

/// Begins a transaction. Unlike `PgPool::begin`, the future may be dropped at any time.
///
/// sqlx 0.9.0 does not roll back if its future is dropped while the server executes `BEGIN`, for example by a timeout, or because
/// the caller has closed its connection. The statements of later users of the connection then belong to that transaction and are
/// lost with it (<https://github.com/transact-rs/sqlx/issues/4385>).
///
/// # Errors
/// No connection becomes available in time, or the database does not begin a transaction.
pub async fn begin(pool: &PgPool) -> Result<PgTransaction<'static>, sqlx::Error> {
    begin_on(pool.acquire().await?).await
}

/// Begins a transaction with a statement such as `BEGIN ISOLATION LEVEL REPEATABLE READ`, as [`begin`] does.
///
/// # Errors
/// As [`begin`].
pub async fn begin_with(
    pool: &PgPool,
    statement: &'static str,
) -> Result<PgTransaction<'static>, sqlx::Error> {
    begin_in_task(pool.acquire().await?, Some(statement.into_sql_str())).await
}

/// Begins a transaction on a connection, as [`begin`] does.
///
/// # Errors
/// The database does not begin a transaction.
pub async fn begin_on(connection: PoolConnection<Postgres>) -> Result<PgTransaction<'static>, sqlx::Error> {
    begin_in_task(connection, None).await
}

/// Lets the statements of a transaction take longer than the pool's statement timeout, for audits.
///
/// # Errors
/// The database does not execute the statement.
pub async fn remove_statement_timeout(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT set_config('statement_timeout', '0', true)")
        .fetch_one(conn)
        .await
        .map(drop)
}

/// The task is not dropped with this future. It rolls back a transaction that is not received.
async fn begin_in_task(
    connection: PoolConnection<Postgres>,
    statement: Option<SqlStr>,
) -> Result<PgTransaction<'static>, sqlx::Error> {
    let begin = Transaction::begin(connection, statement).in_current_span();
    match tokio::spawn(begin).await {
        Ok(begun) => begun,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime shuts down.
        Err(_) => Err(sqlx::Error::WorkerCrashed),
    }
}
