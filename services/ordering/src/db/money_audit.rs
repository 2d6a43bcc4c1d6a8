//! Progress and differences of the audit of money, by the database's clock.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{Currency, Money, OrderId};
use uuid::Uuid;

use super::parse_column;
use crate::domain::{
    money_audit::{AuditedOrder, MoneyDifference},
    tender::Tender,
};

/// The lease of an audit.
#[derive(Debug, Clone, Copy)]
pub struct AuditLease {
    /// When it expires. Another replica that acquires the lease changes it.
    expires_at: Timestamp,
    /// When the audit began.
    pub started_at: Timestamp,
    /// When the newest audit began that ended.
    pub audited_until: Option<Timestamp>,
}

/// Leases the audit if it is due. The lease of a process that died expires.
pub async fn lease_due(conn: &mut PgConnection, lease: Duration) -> sqlx::Result<Option<AuditLease>> {
    let row = sqlx::query!(
        r#"UPDATE money_audit SET due_at = now() + make_interval(secs => $1) WHERE due_at <= now()
           RETURNING due_at AS "due_at: SqlTimestamp", now() AS "started_at!: SqlTimestamp",
             audited_until AS "audited_until: SqlTimestamp""#,
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| AuditLease {
        expires_at: row.due_at.to_jiff(),
        started_at: row.started_at.to_jiff(),
        audited_until: row.audited_until.map(SqlTimestamp::to_jiff),
    }))
}

/// Extends the lease, or returns `None` if it has expired and another replica audits.
pub async fn extend_lease(
    conn: &mut PgConnection,
    held: AuditLease,
    lease: Duration,
) -> sqlx::Result<Option<AuditLease>> {
    let due_at = sqlx::query_scalar!(
        r#"UPDATE money_audit SET due_at = now() + make_interval(secs => $2) WHERE due_at = $1
           RETURNING due_at AS "due_at: SqlTimestamp""#,
        held.expires_at.to_sqlx() as _,
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(due_at.map(|due_at| AuditLease {
        expires_at: due_at.to_jiff(),
        ..held
    }))
}

/// Records that an audit has ended, and when the next one is due.
pub async fn finish(conn: &mut PgConnection, held: AuditLease, interval: Duration) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE money_audit SET audited_until = $2, due_at = now() + make_interval(secs => $3) WHERE due_at = $1",
        held.expires_at.to_sqlx() as _,
        held.started_at.to_sqlx() as _,
        interval.as_secs_f64(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Lists orders by id, after `after`: those that changed since an instant, or all.
pub async fn list_changed(
    conn: &mut PgConnection,
    since: Option<Timestamp>,
    after: Option<OrderId>,
    limit: i64,
) -> sqlx::Result<Vec<OrderId>> {
    let after = after.map_or(Uuid::nil(), OrderId::uuid);
    match since {
        Some(since) => {
            sqlx::query_scalar!(
                r#"SELECT DISTINCT order_id AS "id: OrderId" FROM order_history
                   WHERE recorded_at >= $1 AND order_id > $2 ORDER BY order_id LIMIT $3"#,
                since.to_sqlx() as _,
                after,
                limit,
            )
            .fetch_all(conn)
            .await
        }
        None => {
            sqlx::query_scalar!(
                r#"SELECT id AS "id: OrderId" FROM orders WHERE id > $1 ORDER BY id LIMIT $2"#,
                after,
                limit,
            )
            .fetch_all(conn)
            .await
        }
    }
}

/// Lists the orders with differences by id, after `after`.
pub async fn list_differing(
    conn: &mut PgConnection,
    after: Option<OrderId>,
    limit: i64,
) -> sqlx::Result<Vec<OrderId>> {
    sqlx::query_scalar!(
        r#"SELECT DISTINCT order_id AS "id: OrderId" FROM money_differences WHERE order_id > $1 ORDER BY order_id LIMIT $2"#,
        after.map_or(Uuid::nil(), OrderId::uuid),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Lists orders that no store has accepted and that are older than `max_age` by id, after `after`.
pub async fn list_old(
    conn: &mut PgConnection,
    max_age: Duration,
    after: Option<OrderId>,
    limit: i64,
) -> sqlx::Result<Vec<OrderId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id!: OrderId" FROM (
             SELECT id, created_at FROM orders WHERE status = 'scheduled'
             UNION ALL SELECT id, created_at FROM orders WHERE status = 'placed'
           ) AS not_accepted
           WHERE created_at < now() - make_interval(secs => $1) AND id > $2 ORDER BY id LIMIT $3"#,
        max_age.as_secs_f64(),
        after.map_or(Uuid::nil(), OrderId::uuid),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Reads orders. An order is settled if its last change is older than `settle_time`, and old if it was created before `max_age`.
pub async fn read(
    conn: &mut PgConnection,
    order_ids: &[Uuid],
    settle_time: Duration,
    max_age: Duration,
) -> sqlx::Result<Vec<AuditedOrder>> {
    let rows = sqlx::query!(
        r#"SELECT id AS "id: OrderId", status, tender, currency, total, stored_value_amount,
             reason <> '' AS "has_reason!",
             NOT EXISTS (SELECT FROM order_history WHERE order_id = orders.id
                         AND recorded_at > now() - make_interval(secs => $2)) AS "is_settled!",
             created_at < now() - make_interval(secs => $3) AS "is_old!"
           FROM orders WHERE id = ANY($1)"#,
        order_ids,
        settle_time.as_secs_f64(),
        max_age.as_secs_f64(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let currency: Currency = parse_column("currency", &row.currency)?;
            let tender: Tender = parse_column("tender", &row.tender)?;
            let hold_part = if tender == Tender::JoePass {
                row.total
            } else {
                row.stored_value_amount
            };
            Ok(AuditedOrder {
                id: row.id,
                status: parse_column("status", &row.status)?,
                tender,
                is_unpaid: row.has_reason,
                charge_part: Money::new(row.total - hold_part, currency),
                hold_part: Money::new(hold_part, currency),
                is_settled: row.is_settled,
                is_old: row.is_old,
            })
        })
        .collect()
}

/// Replaces the differences of orders.
pub async fn replace_differences(
    conn: &mut PgConnection,
    order_ids: &[Uuid],
    differences: &[(OrderId, MoneyDifference)],
) -> sqlx::Result<()> {
    let (ids, kinds): (Vec<Uuid>, Vec<String>) = differences
        .iter()
        .map(|(id, kind)| (id.uuid(), kind.as_str().to_owned()))
        .unzip();
    sqlx::query!(
        "WITH found AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS found (order_id, kind)), resolved AS (
           DELETE FROM money_differences AS known WHERE order_id = ANY($1)
             AND NOT EXISTS (SELECT FROM found WHERE found.order_id = known.order_id AND found.kind = known.kind)
         )
         INSERT INTO money_differences (order_id, kind) SELECT order_id, kind FROM found
         ON CONFLICT ON CONSTRAINT money_differences_pkey DO NOTHING",
        order_ids,
        &ids,
        &kinds,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Counts the differences by kind.
pub async fn count_differences(conn: &mut PgConnection) -> sqlx::Result<Vec<(MoneyDifference, i64)>> {
    let rows = sqlx::query!(r#"SELECT kind, count(*) AS "count!" FROM money_differences GROUP BY kind"#)
        .fetch_all(conn)
        .await?;
    rows.into_iter()
        .map(|row| Ok((parse_column("kind", &row.kind)?, row.count)))
        .collect()
}
