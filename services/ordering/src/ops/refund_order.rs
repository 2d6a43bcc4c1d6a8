//! Refunds a part of a completed order, and executes refunds that were interrupted.

use std::time::Duration;

use futures::future::join_all;
use kit::{ErrorCode, InternalError, ServiceError, backoff::Backoff, metrics::Gauge};
use types::{Money, OrderId};

use crate::{
    Ordering,
    db::{
        order_refunds::{self, OpenRefund},
        orders,
    },
    domain::{
        order::Order,
        refund::{OrderRefund, RefundParts},
        status::Status,
    },
};

/// Time after which the worker executes a refund that was interrupted. Longer than its calls take.
const RETRY_AFTER: Duration = Duration::from_mins(1);

/// Intervals between later attempts.
const BACKOFF: Backoff = Backoff::new(RETRY_AFTER, Duration::from_hours(6));

/// Maximum number of refunds per run.
const BATCH_SIZE: i64 = 20;

/// A refund with this many attempts of the worker needs attention.
const FAILING_ATTEMPTS: i32 = 3;

static FAILING: Gauge = Gauge::new(
    "ordering.refunds.failing",
    "Refunds of parts of orders that did not succeed after several attempts",
);

#[derive(Debug, Clone)]
pub struct RefundOrder {
    pub order_id: OrderId,
    /// Unique for the order.
    pub refund_id: String,
    /// In the currency of the order.
    pub minor_units: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum RefundOrderError {
    #[error("order not found")]
    NotFound,
    #[error("only completed orders that were paid can be refunded in part")]
    NotRefundable,
    #[error("the amount is not positive, or greater than what was not refunded")]
    AmountInvalid,
    #[error("the refund exists with another amount")]
    Mismatch,
    /// Another service cannot refund its part.
    #[error("{}: {}", .0.reason, .0.message)]
    Rejected(ServiceError),
    /// The refund was written, and a call for it failed.
    #[error(
        "the refund is recorded and ordering executes it later; repeat it with the same refund id only. {}: {}",
        .0.reason,
        .0.message
    )]
    Open(ServiceError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(RefundOrderError);

/// Refunds a part of a completed order in the reverse order of its payment: the card first, then stored value. Idempotent by
/// order and refund id. An interrupted refund is executed later.
///
/// # Errors
/// See [`RefundOrderError`]. Nothing was refunded if payments rejected its part. If gift-cards rejects the second part, the
/// first was refunded, and the second is tried again later.
pub async fn refund_order(cx: &Ordering, command: RefundOrder) -> Result<RefundParts, RefundOrderError> {
    let (order_id, refund) = plan(cx, command).await?;
    kit::fault_point::reach("refund.planned");
    execute(cx, order_id, &refund).await?;
    Ok(refund.parts)
}

/// Executes refunds that were interrupted, at growing intervals until they succeed. Returns the number of attempts.
///
/// # Errors
/// The database is unavailable.
pub async fn execute_open_refunds(cx: &Ordering) -> Result<usize, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let due = order_refunds::claim_due(&mut conn, RETRY_AFTER, BATCH_SIZE).await?;
    drop(conn);
    // Concurrently: each claim counts as an attempt, so each refund needs the whole time of the run.
    let attempts = due.iter().map(|open| async move {
        match execute(cx, open.order_id, &open.refund).await {
            Ok(()) => Ok(()),
            Err(error) => {
                tracing::warn!(order_id = %open.order_id, refund_id = open.refund.refund_id, %error, "refund failed");
                retry_later(cx, open).await
            }
        }
    });
    for outcome in join_all(attempts).await {
        outcome?;
    }
    let mut conn = cx.pool.acquire().await?;
    FAILING.set_count(
        order_refunds::count_failing(&mut conn, FAILING_ATTEMPTS).await?,
        &[],
    );
    Ok(due.len())
}

async fn retry_later(cx: &Ordering, open: &OpenRefund) -> Result<(), InternalError> {
    let delay = BACKOFF.delay_after(open.attempts);
    let mut conn = cx.pool.acquire().await?;
    order_refunds::set_next_attempt(&mut conn, open.order_id, &open.refund.refund_id, delay).await?;
    Ok(())
}

async fn plan(cx: &Ordering, command: RefundOrder) -> Result<(OrderId, OrderRefund), RefundOrderError> {
    let RefundOrder {
        order_id,
        refund_id,
        minor_units,
    } = command;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    order_refunds::lock_order(&mut tx, order_id).await?;
    let record = orders::find(&mut tx, order_id).await?;
    let order = record.ok_or(RefundOrderError::NotFound)?.order;
    let currency = order.totals.total.currency();
    let amount = Money::new(minor_units, currency);
    let known = order_refunds::list(&mut tx, order_id, currency).await?;
    if let Some(refund) = known.iter().find(|refund| refund.refund_id == refund_id) {
        return if refund.parts.total() == amount {
            Ok((order_id, refund.clone()))
        } else {
            Err(RefundOrderError::Mismatch)
        };
    }
    let paid = paid_parts(&order).ok_or(RefundOrderError::NotRefundable)?;
    let parts = RefundParts::split(paid, &known, amount).ok_or(RefundOrderError::AmountInvalid)?;
    let refund = OrderRefund { refund_id, parts };
    order_refunds::insert(&mut tx, order_id, &refund, cx.clock.now(), RETRY_AFTER).await?;
    tx.commit().await?;
    Ok((order_id, refund))
}

/// Returns what the consumer paid for a completed order; `None` if nothing. An order that was completed is never refunded as a
/// whole, except here. The charge of an order with a reason failed, so that only stored value paid a part of it.
fn paid_parts(order: &Order) -> Option<RefundParts> {
    let charge = order.charge_amount();
    let paid = RefundParts {
        charge: if order.reason.is_empty() {
            charge
        } else {
            Money::new(0, charge.currency())
        },
        stored_value: order.stored_value_amount(),
    };
    (order.status == Status::Completed && paid.total().is_positive()).then_some(paid)
}

async fn execute(cx: &Ordering, order_id: OrderId, refund: &OrderRefund) -> Result<(), RefundOrderError> {
    let OrderRefund { refund_id, parts } = refund;
    if parts.charge.is_positive() {
        let payments = &cx.clients.payments;
        let refunded = payments.refund_charge(order_id, refund_id, parts.charge).await;
        if let Err(error) = refunded {
            return Err(reject(cx, order_id, refund_id, error).await?);
        }
        kit::fault_point::reach("refund.charge");
    }
    if parts.stored_value.is_positive() {
        let gift_cards = &cx.clients.gift_cards;
        let refunded = gift_cards
            .refund_hold(order_id, refund_id, parts.stored_value)
            .await;
        match refunded {
            Ok(()) => {}
            Err(error) if parts.charge.is_positive() => return Err(RefundOrderError::Open(error)),
            Err(error) => return Err(reject(cx, order_id, refund_id, error).await?),
        }
    }
    let mut conn = cx.pool.acquire().await?;
    order_refunds::set_completed(&mut conn, order_id, refund_id, cx.clock.now()).await?;
    tracing::info!(%order_id, refund_id, "order refunded in part");
    Ok(())
}

/// Deletes a refund that its first call rejected: nothing was refunded. Keeps it after any other error, to be executed later.
async fn reject(
    cx: &Ordering,
    order_id: OrderId,
    refund_id: &str,
    error: ServiceError,
) -> Result<RefundOrderError, InternalError> {
    let is_final = matches!(
        error.code,
        ErrorCode::InvalidRequest | ErrorCode::NotFound | ErrorCode::Conflict | ErrorCode::RuleViolation
    );
    if !is_final {
        return Ok(RefundOrderError::Open(error));
    }
    let mut conn = cx.pool.acquire().await?;
    order_refunds::delete(&mut conn, order_id, refund_id).await?;
    Ok(RefundOrderError::Rejected(error))
}
