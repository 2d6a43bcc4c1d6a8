//! The steps of an order. Each is one statement, which writes the order, its history, its event and the stored response
//! for its idempotency key, or nothing. See `docs/decisions/0014-one-statement-per-step.md`.
//!
//! The statements also write the kit's tables `outbox` and `idempotency`, to save round trips.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::{idempotency::Key, outbox::OutboxEntry};
use sqlx::{PgConnection, types::Json};

use crate::domain::{
    order::{OrderRecord, Transition},
    status::Actor,
};

/// Values for the saga of a new order.
#[derive(Debug, Clone, Copy)]
pub struct NewSaga<'a> {
    pub key: Key<'a>,
    pub request_hash: &'a [u8],
    /// Starts now, by the database's clock.
    pub lease: Duration,
    /// Maximum number of the consumer's active orders of the same kind (scheduled or not), including this one.
    pub max_active: u32,
}

/// The result of [`begin`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeginOutcome {
    Begun,
    /// The key exists; nothing was written.
    KeyExists,
    /// The consumer has too many active orders; nothing was written.
    LimitReached,
    /// The cart has an order that has not failed and was neither canceled nor rejected; nothing was written. [`begin`] returns the
    /// violated constraint instead.
    CartOrdered,
    /// The consumer was removed; nothing was written.
    ConsumerRemoved,
}

impl BeginOutcome {
    const fn new(is_begun: bool, is_removed: bool, is_limit_reached: bool) -> Self {
        match (is_begun, is_removed, is_limit_reached) {
            (true, ..) => Self::Begun,
            (false, true, _) => Self::ConsumerRemoved,
            (false, false, true) => Self::LimitReached,
            (false, false, false) => Self::KeyExists,
        }
    }
}

/// Writes a new order with its idempotency key and the first entry of its history. The order takes the slot after the highest one of
/// the consumer's active orders, which is found without reading these orders, or a free one if that is above the limit.
///
/// Waits for a transaction that is writing the key.
///
/// # Errors
/// Violates `orders_cart_key` if the cart was already ordered and that order has not failed and was neither canceled nor
/// rejected, `orders_idempotency_key` if the key created an order and the stored response was pruned, and
/// `orders_active_slot_key` if another order took the slot at the same time.
#[expect(
    clippy::too_many_lines,
    reason = "a row has many values, and each is one line"
)]
pub async fn begin(
    conn: &mut PgConnection,
    record: &OrderRecord,
    saga: NewSaga<'_>,
) -> Result<BeginOutcome, sqlx::Error> {
    let OrderRecord { order, placement } = record;
    let totals = &order.totals;
    let part = order.stored_value.as_ref();
    let row = sqlx::query!(
        r#"WITH highest AS (
             SELECT coalesce(max(active_slot), 0) AS slot FROM orders
             WHERE consumer_id = $2 AND (pickup_at IS NOT NULL) = ($27::timestamptz IS NOT NULL)
               AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing')
           ), free_slot AS (
             SELECT CASE WHEN slot < $38::integer THEN slot + 1 ELSE (
               SELECT min(candidate) FROM (
                 SELECT 1 AS candidate
                 UNION ALL
                 SELECT active_slot + 1 FROM orders
                 WHERE consumer_id = $2 AND (pickup_at IS NOT NULL) = ($27::timestamptz IS NOT NULL)
                   AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing')
               ) AS candidates
               WHERE candidate <= $38::integer AND NOT EXISTS (
                 SELECT FROM orders
                 WHERE consumer_id = $2 AND (pickup_at IS NOT NULL) = ($27::timestamptz IS NOT NULL)
                   AND active_slot = candidate
                   AND status IN ('payment_pending', 'scheduled', 'placed', 'accepted', 'preparing'))
             ) END AS slot FROM highest
           ), new_key AS (
             INSERT INTO idempotency (scope, operation, key, request_hash)
             SELECT $33, $34, $35, $36 FROM free_slot
             WHERE slot IS NOT NULL AND NOT EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $2)
             ON CONFLICT ON CONSTRAINT idempotency_pkey DO NOTHING
             RETURNING key
           ), new_order AS (
             INSERT INTO orders (id, consumer_id, store_id, cart_id, status, version, idempotency_key, store_name,
               store_address, time_zone, lines, currency, subtotal, discount, tax, tip, total, tax_rate_ppm, promo_code,
               points, tender, payment_method_id, pickup, vehicle, pickup_name, make_seconds, pickup_at, ready_at,
               start_at, not_after, created_at, lease_until, journey_step, active_slot, stored_value_amount,
               stored_value_balance_id, stored_value_name)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
               $23, $24, $25, $26, $27, $28, $29, $30, $31, now() + make_interval(secs => $32), $39, slot, $40, $41, $42
             FROM new_key, free_slot
             RETURNING id, version, status, created_at
           ), new_history AS (
             INSERT INTO order_history (order_id, version, status, at, actor)
             SELECT id, version, status, created_at, $37 FROM new_order
           )
           SELECT EXISTS (SELECT FROM new_order) AS "is_begun!", slot IS NULL AS "is_limit_reached!",
             EXISTS (SELECT FROM removed_consumers WHERE consumer_id = $2) AS "is_removed!"
           FROM free_slot"#,
        order.id.uuid(),
        order.consumer_id.uuid(),
        order.store_id.uuid(),
        order.cart_id,
        order.status.as_str(),
        order.version,
        placement.idempotency_key,
        order.store_name,
        order.store_address,
        order.time_zone,
        Json(&order.lines) as _,
        totals.total.currency().code(),
        totals.subtotal.minor_units(),
        totals.discount.minor_units(),
        totals.tax.minor_units(),
        totals.tip.minor_units(),
        totals.total.minor_units(),
        order.tax_rate_ppm,
        order.promo_code,
        totals.points,
        order.tender.as_str(),
        order.payment_method_id,
        order.pickup.as_str(),
        order.vehicle,
        order.pickup_name,
        i32::try_from(placement.make_seconds).map_err(|error| sqlx::Error::Encode(error.into()))?,
        placement.pickup_at.map(ToSqlx::to_sqlx) as _,
        order.ready_at.to_sqlx() as _,
        order.start_at.to_sqlx() as _,
        placement.not_after.to_sqlx() as _,
        order.created_at.to_sqlx() as _,
        saga.lease.as_secs_f64(),
        saga.key.scope,
        saga.key.operation,
        saga.key.key,
        saga.request_hash,
        Actor::Consumer.as_str(),
        i32::try_from(saga.max_active).map_err(|error| sqlx::Error::Encode(error.into()))?,
        order.journey_step.as_str(),
        part.map_or(0, |part| part.amount.minor_units()),
        part.map_or("", |part| part.balance_id.as_str()),
        order.stored_value_name,
    )
    .fetch_one(conn)
    .await?;
    Ok(BeginOutcome::new(
        row.is_begun,
        row.is_removed,
        row.is_limit_reached,
    ))
}

/// What a step writes besides the order.
#[derive(Debug, Clone, Copy)]
pub struct StepRecord<'a> {
    pub actor: Actor,
    pub at: Timestamp,
    pub event: &'a OutboxEntry,
    /// The response for the order's idempotency key, if the step ends its saga.
    pub response: Option<(Key<'a>, &'a [u8])>,
}

/// Changes an order if its status, version and epoch are still those of `from`. Also writes the promised time of `from`,
/// which the saga does not write when it reserves capacity.
///
/// Returns false, and writes nothing, if the order was changed since it was read, or if it would be placed although its consumer
/// was removed: recovery closes it when its lease expires.
pub async fn advance(
    conn: &mut PgConnection,
    from: &OrderRecord,
    transition: &Transition,
    step: StepRecord<'_>,
) -> Result<bool, sqlx::Error> {
    let OrderRecord { order, placement } = from;
    let after = from.after(transition, step.at).order;
    let (key, response) = step.response.unzip();
    sqlx::query_scalar!(
        r#"WITH changed AS (
             UPDATE orders SET status = $5, version = version + 1, reason = $6, message = $7,
               placed_at = coalesce($8, placed_at), accept_by = now() + make_interval(secs => $9), ready_at = $10, start_at = $11, client_secret = '',
               awaits_authentication = false, lease_until = NULL, is_charged = $25, made_at = $26
             WHERE id = $1 AND version = $2 AND status = $3 AND epoch = $4
               AND NOT (status = 'payment_pending' AND $5 IN ('placed', 'scheduled')
                 AND EXISTS (SELECT FROM removed_consumers WHERE consumer_id = orders.consumer_id))
             RETURNING id, version, status
           ), new_history AS (
             INSERT INTO order_history (order_id, version, status, at, actor)
             SELECT id, version, status, $12, $13 FROM changed
           ), new_event AS (
             INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
             SELECT $14, $15, $16, $17, $18, $19, $20 FROM changed
           ), stored_response AS (
             UPDATE idempotency SET response = $21 FROM changed
             WHERE scope = $22 AND operation = $23 AND key = $24 AND response IS NULL
           )
           SELECT EXISTS (SELECT FROM changed) AS "changed!""#,
        order.id.uuid(),
        order.version,
        order.status.as_str(),
        placement.epoch,
        after.status.as_str(),
        after.reason,
        after.message,
        transition.placed_at.map(ToSqlx::to_sqlx) as _,
        transition.accept_within.map(|within| within.as_secs_f64()) as _,
        order.ready_at.to_sqlx() as _,
        order.start_at.to_sqlx() as _,
        step.at.to_sqlx() as _,
        step.actor.as_str(),
        step.event.event_id.uuid(),
        step.event.event_type,
        step.event.aggregate_id,
        step.event.aggregate_version,
        step.event.payload,
        step.event.trace_parent,
        step.event.occurred_at.to_sqlx() as _,
        response,
        key.map(|key| key.scope),
        key.map(|key| key.operation),
        key.map(|key| key.key),
        transition.end.as_ref().is_some_and(|end| end.is_charged),
        after.made_at.map(ToSqlx::to_sqlx) as _,
    )
    .fetch_one(conn)
    .await
}
