//! Orders. Every change is made only from the state that was read; callers check how many rows it touched.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use types::{ConsumerId, OrderId, Page, StoreId};
use uuid::Uuid;

use crate::domain::cart::Line;

/// An order as it is kept.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: Uuid,
    pub consumer_id: Uuid,
    pub store_id: Uuid,
    pub cart_id: String,
    pub status: String,
    pub version: i64,
    pub idempotency_key: String,
    pub store_name: String,
    pub store_address: String,
    pub time_zone: String,
    pub lines: Json<Vec<Line>>,
    pub currency: String,
    pub subtotal: i64,
    pub discount: i64,
    pub tax: i64,
    pub tip: i64,
    pub total: i64,
    pub tax_rate_ppm: i64,
    pub promo_code: String,
    pub points: i64,
    pub tender: String,
    pub payment_method_id: String,
    pub pickup: String,
    pub vehicle: String,
    pub pickup_name: String,
    pub make_seconds: i32,
    pub pickup_at: Option<SqlTimestamp>,
    pub ready_at: SqlTimestamp,
    pub start_at: SqlTimestamp,
    pub not_after: SqlTimestamp,
    pub created_at: SqlTimestamp,
    pub placed_at: Option<SqlTimestamp>,
    pub arrived_at: Option<SqlTimestamp>,
    pub reason: String,
    pub message: String,
    pub epoch: i64,
    pub client_secret: String,
}

impl Row {
    /// Its id.
    #[must_use]
    pub const fn order_id(&self) -> OrderId {
        OrderId::from_uuid(self.id)
    }

    /// Whose it is.
    #[must_use]
    pub const fn consumer(&self) -> ConsumerId {
        ConsumerId::from_uuid(self.consumer_id)
    }

    /// Where it is made.
    #[must_use]
    pub const fn store(&self) -> StoreId {
        StoreId::from_uuid(self.store_id)
    }
}

/// Reads orders by a condition: one list of columns for all queries, each still checked at compile time.
macro_rules! select {
    ($condition:tt, $($argument:expr),*) => {
        sqlx::query_as!(
            Row,
            r#"SELECT id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name, store_address,
                time_zone, lines as "lines: Json<Vec<Line>>", currency, subtotal, discount, tax, tip, total,
                tax_rate_ppm, promo_code, points, tender, payment_method_id, pickup, vehicle, pickup_name, make_seconds,
                pickup_at as "pickup_at: SqlTimestamp", ready_at as "ready_at: SqlTimestamp",
                start_at as "start_at: SqlTimestamp", not_after as "not_after: SqlTimestamp",
                created_at as "created_at: SqlTimestamp", placed_at as "placed_at: SqlTimestamp",
                arrived_at as "arrived_at: SqlTimestamp", reason, message, epoch, client_secret
            FROM orders "# + $condition,
            $($argument),*
        )
    };
}

/// An order by its id.
///
/// # Errors
/// The database's.
pub async fn find(conn: &mut PgConnection, order: OrderId) -> Result<Option<Row>, sqlx::Error> {
    select!("WHERE id = $1", order.uuid()).fetch_optional(conn).await
}

/// The order that a consumer's key began, in whatever state.
///
/// # Errors
/// The database's.
pub async fn find_by_key(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    key: &str,
) -> Result<Option<Row>, sqlx::Error> {
    select!(
        "WHERE consumer_id = $1 AND idempotency_key = $2",
        consumer.uuid(),
        key
    )
    .fetch_optional(conn)
    .await
}

/// A consumer's orders that came to be, newest first.
///
/// # Errors
/// The database's.
pub async fn list(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    page: Page,
) -> Result<Vec<Row>, sqlx::Error> {
    select!(
        "WHERE consumer_id = $1 AND status NOT IN ('payment_pending', 'payment_failed')
         ORDER BY created_at DESC LIMIT $2 OFFSET $3",
        consumer.uuid(),
        page.limit(),
        page.offset()
    )
    .fetch_all(conn)
    .await
}

/// A consumer's orders from Scheduled to Ready, soonest first.
///
/// # Errors
/// The database's.
pub async fn list_active(conn: &mut PgConnection, consumer: ConsumerId) -> Result<Vec<Row>, sqlx::Error> {
    select!(
        "WHERE consumer_id = $1 AND status IN ('scheduled', 'placed', 'accepted', 'preparing', 'ready')
         ORDER BY ready_at LIMIT 20",
        consumer.uuid()
    )
    .fetch_all(conn)
    .await
}

/// What stores have to do, by when it has to be started; of all stores where there is no list.
///
/// # Errors
/// The database's.
pub async fn list_queue(conn: &mut PgConnection, stores: Option<&[Uuid]>) -> Result<Vec<Row>, sqlx::Error> {
    match stores {
        Some(stores) => {
            select!(
                "WHERE store_id = ANY($1) AND status IN ('placed', 'accepted', 'preparing', 'ready')
                 ORDER BY start_at LIMIT 200",
                stores
            )
            .fetch_all(conn)
            .await
        }
        None => {
            select!(
                "WHERE status IN ('placed', 'accepted', 'preparing', 'ready') ORDER BY start_at LIMIT $1",
                200_i64
            )
            .fetch_all(conn)
            .await
        }
    }
}

/// Orders that no store accepted in time.
///
/// # Errors
/// The database's.
pub async fn list_unaccepted(conn: &mut PgConnection, now: Timestamp) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE status = 'placed' AND accept_by < $1 ORDER BY accept_by LIMIT 100",
        now.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Scheduled orders whose make-time comes before an instant.
///
/// # Errors
/// The database's.
pub async fn list_due(conn: &mut PgConnection, before: Timestamp) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM orders WHERE status = 'scheduled' AND start_at <= $1 ORDER BY start_at LIMIT 100",
        before.to_sqlx() as _,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Notes that the consumer is there. Answers whether the order is one that somebody can be there for.
///
/// # Errors
/// The database's.
pub async fn set_arrived(
    conn: &mut PgConnection,
    order: OrderId,
    at: Timestamp,
    vehicle: &str,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE orders SET arrived_at = coalesce(arrived_at, $2), version = version + 1,
            vehicle = CASE WHEN $3 = '' THEN vehicle ELSE $3 END
         WHERE id = $1 AND status IN ('placed', 'accepted', 'preparing', 'ready')",
        order.uuid(),
        at.to_sqlx() as _,
        vehicle,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes a removed consumer's words off their orders; the money records stay.
///
/// # Errors
/// The database's.
pub async fn anonymise(conn: &mut PgConnection, consumer: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        r#"UPDATE orders SET vehicle = '', pickup_name = '', lines = (
             SELECT coalesce(jsonb_agg(line || '{"note": ""}' ORDER BY place), '[]')
             FROM jsonb_array_elements(lines) WITH ORDINALITY AS each_line (line, place))
           WHERE consumer_id = $1"#,
        consumer.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
