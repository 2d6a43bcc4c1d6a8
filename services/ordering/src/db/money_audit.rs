//! The orders that the audit of money compares, by the database's clock.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{Currency, Money, OrderId};
use uuid::Uuid;

use super::parse_column;
use crate::domain::{money_audit::AuditedOrder, tender::Tender};

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
             -- Not as NOT EXISTS, which can be planned as a hash of all recent changes.
             coalesce((SELECT max(recorded_at) FROM order_history WHERE order_id = orders.id)
                      <= now() - make_interval(secs => $2), true) AS "is_settled!",
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
