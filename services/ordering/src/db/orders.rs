//! Orders. Changes of the status are in [`super::steps`].

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use types::{ConsumerId, Currency, Money, OrderId, Page, StoreId};
use uuid::Uuid;

use super::{column_error, parse_column};
use crate::domain::{
    charge::is_charged_in,
    line::OrderLine,
    order::{Order, OrderRecord, Placement},
    pricing::Totals,
    queue::QueueCursor,
    status::Status,
    tender::StoredValuePart,
};

/// Selects orders by a condition. All queries share one list of columns and are checked at compile time.
macro_rules! select {
    ($condition:tt, $($argument:expr),*) => {
        sqlx::query!(
            r#"SELECT id AS "id: OrderId", consumer_id AS "consumer_id: ConsumerId", store_id AS "store_id: StoreId",
                cart_id, status, version, idempotency_key, store_name, store_address, time_zone,
                lines AS "lines: Json<Vec<OrderLine>>", currency, subtotal, discount, tax, tip, total, tax_rate_ppm,
                promo_code, points, tender, payment_method_id, stored_value_amount, stored_value_balance_id,
                stored_value_name, pickup, vehicle, pickup_name, journey_step, make_seconds,
                pickup_at AS "pickup_at: SqlTimestamp", ready_at AS "ready_at: SqlTimestamp",
                start_at AS "start_at: SqlTimestamp", not_after AS "not_after: SqlTimestamp",
                created_at AS "created_at: SqlTimestamp", placed_at AS "placed_at: SqlTimestamp",
                arrived_at AS "arrived_at: SqlTimestamp", reason, message, epoch, is_charged,
                status = 'payment_pending' AND (awaits_authentication OR client_secret <> '') AS "awaits_authentication!",
                first_ready_at AS "first_ready_at: SqlTimestamp", delay_reason, made_at AS "made_at: SqlTimestamp",
                EXISTS (SELECT FROM order_feedback WHERE order_id = orders.id) AS "is_rated!"
            FROM orders "# + $condition,
            $($argument),*
        )
        .try_map(|row| {
            let currency: Currency = parse_column("currency", &row.currency)?;
            let money = |minor_units| Money::new(minor_units, currency);
            let status: Status = parse_column("status", &row.status)?;
            let tender = parse_column("tender", &row.tender)?;
            let total = money(row.total);
            Ok(OrderRecord {
                order: Order {
                    id: row.id,
                    consumer_id: row.consumer_id,
                    cart_id: row.cart_id,
                    store_id: row.store_id,
                    store_name: row.store_name,
                    store_address: row.store_address,
                    time_zone: row.time_zone,
                    status,
                    version: row.version,
                    lines: row.lines.0,
                    totals: Totals {
                        subtotal: money(row.subtotal),
                        discount: money(row.discount),
                        tax: money(row.tax),
                        tip: money(row.tip),
                        total,
                        points: row.points,
                    },
                    tax_rate_ppm: row.tax_rate_ppm,
                    promo_code: row.promo_code,
                    tender,
                    payment_method_id: row.payment_method_id,
                    stored_value: (row.stored_value_amount > 0).then(|| StoredValuePart {
                        balance_id: row.stored_value_balance_id,
                        amount: money(row.stored_value_amount),
                    }),
                    stored_value_name: row.stored_value_name,
                    pickup: parse_column("pickup", &row.pickup)?,
                    vehicle: row.vehicle,
                    pickup_name: row.pickup_name,
                    journey_step: parse_column("journey_step", &row.journey_step)?,
                    is_scheduled: row.pickup_at.is_some(),
                    ready_at: row.ready_at.to_jiff(),
                    first_ready_at: row.first_ready_at.map(SqlTimestamp::to_jiff),
                    delay_reason: row.delay_reason,
                    made_at: row.made_at.map(SqlTimestamp::to_jiff),
                    start_at: row.start_at.to_jiff(),
                    created_at: row.created_at.to_jiff(),
                    placed_at: row.placed_at.map(SqlTimestamp::to_jiff),
                    arrived_at: row.arrived_at.map(SqlTimestamp::to_jiff),
                    // A reason on a ready or completed order means that its payment failed.
                    is_charged: row.is_charged || row.reason.is_empty() && is_charged_in(status, tender, total),
                    reason: row.reason,
                    message: row.message,
                    client_secret: String::new(),
                    is_rated: row.is_rated,
                },
                placement: Placement {
                    idempotency_key: row.idempotency_key,
                    make_seconds: u32::try_from(row.make_seconds)
                        .map_err(|error| column_error("make_seconds", error))?,
                    pickup_at: row.pickup_at.map(SqlTimestamp::to_jiff),
                    not_after: row.not_after.to_jiff(),
                    epoch: row.epoch,
                    awaits_authentication: row.awaits_authentication,
                },
            })
        })
    };
}

pub async fn find(conn: &mut PgConnection, order_id: OrderId) -> Result<Option<OrderRecord>, sqlx::Error> {
    select!("WHERE id = $1", order_id.uuid())
        .fetch_optional(conn)
        .await
}

/// Finds the order that a consumer's idempotency key created, in any status.
pub async fn find_by_key(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    idempotency_key: &str,
) -> Result<Option<OrderRecord>, sqlx::Error> {
    select!(
        "WHERE consumer_id = $1 AND idempotency_key = $2",
        consumer_id.uuid(),
        idempotency_key
    )
    .fetch_optional(conn)
    .await
}

/// Lists a consumer's orders that were placed, newest first.
pub async fn list_placed(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    page: Page,
) -> Result<Vec<OrderRecord>, sqlx::Error> {
    select!(
        "WHERE consumer_id = $1 AND status NOT IN ('payment_pending', 'payment_failed')
         ORDER BY created_at DESC LIMIT $2 OFFSET $3",
        consumer_id.uuid(),
        page.limit(),
        page.offset()
    )
    .fetch_all(conn)
    .await
}

/// Lists a consumer's orders from Scheduled to Ready, and those that wait for the consumer's authentication, by promised
/// time.
pub async fn list_active(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Vec<OrderRecord>, sqlx::Error> {
    select!(
        "WHERE consumer_id = $1 AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing', 'ready')
           AND (status <> 'payment_pending' OR awaits_authentication OR client_secret <> '')
         ORDER BY ready_at LIMIT 20",
        consumer_id.uuid()
    )
    .fetch_all(conn)
    .await
}

/// Lists the orders in the queue after a position, sorted by [`QueueCursor`]. `None` for `store_ids` means all stores.
pub async fn list_queue(
    conn: &mut PgConnection,
    store_ids: Option<&[Uuid]>,
    after: Option<QueueCursor>,
    limit: i64,
) -> Result<Vec<OrderRecord>, sqlx::Error> {
    let rank = after.map_or(-1, |after| after.rank);
    let start_at = after
        .map_or(Timestamp::UNIX_EPOCH, |after| after.start_at)
        .to_sqlx();
    let order_id = after.map_or(Uuid::nil(), |after| after.order_id.uuid());
    match store_ids {
        Some(store_ids) => {
            select!(
                "WHERE store_id = ANY($1) AND status IN ('placed', 'accepted', 'preparing', 'ready')
                   AND ((CASE status WHEN 'placed' THEN 0 WHEN 'ready' THEN 2 ELSE 1 END), start_at, id) > ($2, $3, $4)
                 ORDER BY (CASE status WHEN 'placed' THEN 0 WHEN 'ready' THEN 2 ELSE 1 END), start_at, id LIMIT $5",
                store_ids,
                rank,
                start_at as _,
                order_id,
                limit
            )
            .fetch_all(conn)
            .await
        }
        None => {
            select!(
                "WHERE status IN ('placed', 'accepted', 'preparing', 'ready')
                   AND ((CASE status WHEN 'placed' THEN 0 WHEN 'ready' THEN 2 ELSE 1 END), start_at, id) > ($1, $2, $3)
                 ORDER BY (CASE status WHEN 'placed' THEN 0 WHEN 'ready' THEN 2 ELSE 1 END), start_at, id LIMIT $4",
                rank,
                start_at as _,
                order_id,
                limit
            )
            .fetch_all(conn)
            .await
        }
    }
}

/// Lists orders that no store accepted in time.
pub async fn list_unaccepted(conn: &mut PgConnection) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE status = 'placed' AND accept_by < now() ORDER BY accept_by LIMIT 100",
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Returns whether the cart has an order that has not failed and was neither canceled nor rejected.
pub async fn is_cart_ordered(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    cart_id: &str,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM orders
             WHERE consumer_id = $1 AND cart_id = $2 AND status NOT IN ('payment_failed', 'cancelled', 'rejected')
           ) AS "is_ordered!""#,
        consumer_id.uuid(),
        cart_id,
    )
    .fetch_one(conn)
    .await
}

/// Lists a consumer's orders that no store has accepted.
pub async fn list_cancellable(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE consumer_id = $1 AND status IN ('scheduled', 'placed') ORDER BY id",
        consumer_id.uuid(),
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Lists orders that were promised for and marked ready before `since`.
pub async fn list_uncollected(
    conn: &mut PgConnection,
    since: Timestamp,
) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE status = 'ready' AND ready_at < $1 AND NOT EXISTS (
             SELECT FROM order_history AS change
             WHERE change.order_id = id AND change.status = 'ready' AND change.at >= $1)
         ORDER BY ready_at LIMIT 100",
        since.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Lists accepted orders that were promised for a time before `since`, did not change since then, and were never marked ready.
pub async fn list_unmarked(conn: &mut PgConnection, since: Timestamp) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE status IN ('accepted', 'preparing') AND ready_at < $1 AND NOT EXISTS (
             SELECT FROM order_history AS change WHERE change.order_id = id AND change.at >= $1)
         ORDER BY ready_at LIMIT 100",
        since.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Maximum number of scheduled orders that a store sees at a time.
const MAX_SCHEDULED: i64 = 500;

/// Lists the scheduled orders of a store, by promised time.
pub async fn list_scheduled(
    conn: &mut PgConnection,
    store_id: StoreId,
) -> Result<Vec<OrderRecord>, sqlx::Error> {
    select!(
        "WHERE store_id = $1 AND status = 'scheduled' ORDER BY ready_at, id LIMIT $2",
        store_id.uuid(),
        MAX_SCHEDULED
    )
    .fetch_all(conn)
    .await
}

/// Lists scheduled orders that the store has to start.
pub async fn list_due(conn: &mut PgConnection) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE status = 'scheduled' AND start_at <= now() ORDER BY start_at LIMIT 100",
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Records that the consumer has arrived. Later calls do not change the time. An empty vehicle keeps the order's
/// vehicle.
///
/// Returns false if the order's status does not allow an arrival.
pub async fn set_arrived(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
    vehicle: &str,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE orders SET arrived_at = coalesce(arrived_at, $2), version = version + 1,
            vehicle = CASE WHEN $3 = '' THEN vehicle ELSE $3 END
         WHERE id = $1 AND status IN ('placed', 'accepted', 'preparing', 'ready')",
        order_id.uuid(),
        at.to_sqlx() as _,
        vehicle,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Increments the version after a change in another table.
pub async fn increment_version(conn: &mut PgConnection, order_id: OrderId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE orders SET version = version + 1 WHERE id = $1",
        order_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Records why a prepared order is unpaid, unless it already has a reason. Returns false if the order was changed since
/// it was read.
pub async fn set_payment_failure(
    conn: &mut PgConnection,
    order: &Order,
    reason: &str,
    message: &str,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE orders SET reason = $3, message = $4, version = version + 1
         WHERE id = $1 AND version = $2 AND status IN ('ready', 'completed') AND reason = ''",
        order.id.uuid(),
        order.version,
        reason,
        message,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Returns whether a balance with this name paid for one of the consumer's newest orders, or for a part of it. Gift-cards
/// confirmed the balance then.
pub async fn has_balance(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    balance_id: &str,
    name: &str,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
             SELECT FROM (
               SELECT status, payment_method_id, stored_value_balance_id, stored_value_name FROM orders
               WHERE consumer_id = $1 ORDER BY created_at DESC LIMIT 3
             ) AS newest
             WHERE status NOT IN ('payment_pending', 'payment_failed') AND stored_value_name = $3
               AND $2 IN (payment_method_id, stored_value_balance_id)
           ) AS "has_balance!""#,
        consumer_id.uuid(),
        balance_id,
        name,
    )
    .fetch_one(conn)
    .await
}

/// Erases vehicle, name and notes from a consumer's orders. Keeps the amounts.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        r#"UPDATE orders SET vehicle = '', pickup_name = '', lines = (
             SELECT coalesce(jsonb_agg(line || '{"note": ""}' ORDER BY position), '[]')
             FROM jsonb_array_elements(lines) WITH ORDINALITY AS each_line (line, position))
           WHERE consumer_id = $1"#,
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
