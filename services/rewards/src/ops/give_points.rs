//! Points for an order, and back for what was refunded of it.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Side, Unit};
use proto::rewards::v1::PointsEarned;
use sqlx::PgConnection;
use types::{ConsumerId, Money, OrderId};

use super::{books, tell::tell};
use crate::{
    config::Rules,
    db::{self, order_points::Standing},
    domain::{Notice, points},
};

/// A completed order.
pub(crate) struct Completed<'a> {
    pub order: OrderId,
    pub consumer: ConsumerId,
    /// Subtotal less discounts.
    pub earning: Money,
    pub store: &'a str,
    pub at: Timestamp,
    /// When it was heard of.
    pub now: Timestamp,
}

/// An order was completed: gives the points for it, once, and says so.
pub(crate) async fn completed(
    conn: &mut PgConnection,
    rules: Rules,
    done: Completed<'_>,
) -> Result<(), InternalError> {
    let Completed {
        order,
        consumer,
        earning,
        store,
        at,
        now,
    } = done;
    if db::consumers::enter(conn, consumer).await?.is_none() {
        return Ok(());
    }
    let earning = if earning.is_positive() {
        earning
    } else {
        Money::ZERO
    };
    let standing = db::order_points::note(conn, order, Some(earning), Money::ZERO).await?;
    let title = if store.is_empty() {
        "Your order".to_owned()
    } else {
        format!("Order at {store}")
    };
    let Some((points, side)) = settle(conn, rules, consumer, order, &standing, &title, at).await? else {
        return Ok(());
    };
    let fact = PointsEarned {
        consumer_id: consumer.to_string(),
        order_id: order.to_string(),
        points,
        balance: side.balance,
        at: at.to_string(),
    };
    kit::outbox::append(conn, &consumer.to_string(), side.line, now, &fact).await?;
    let notice = Notice::points_earned(points, side.balance, store);
    tell(
        conn,
        consumer,
        &format!("order:{order}:points"),
        &notice,
        Some(order),
        at,
        now,
    )
    .await?;
    Ok(())
}

/// Some of an order was refunded: takes back the points for it, also where they have been spent since.
pub(crate) async fn refunded(
    conn: &mut PgConnection,
    rules: Rules,
    consumer: ConsumerId,
    order: OrderId,
    amount: Money,
    at: Timestamp,
) -> Result<(), InternalError> {
    if db::consumers::enter(conn, consumer).await?.is_none() || !amount.is_positive() {
        return Ok(());
    }
    let standing = db::order_points::note(conn, order, None, amount).await?;
    settle(conn, rules, consumer, order, &standing, "Refund of an order", at).await?;
    Ok(())
}

/// Posts the difference between what an order has come to and what was given for it: the end is the same in whichever
/// order its completion and its refunds are heard of.
async fn settle(
    conn: &mut PgConnection,
    rules: Rules,
    consumer: ConsumerId,
    order: OrderId,
    standing: &Standing,
    explanation: &str,
    at: Timestamp,
) -> Result<Option<(i64, Side)>, InternalError> {
    let due = points::earned(standing.earning, standing.refunded, rules.points_per_unit);
    let difference = due - standing.points;
    if difference == 0 {
        return Ok(None);
    }
    let account = books::open(conn, consumer, at).await?;
    let (from, to, kind) = if difference > 0 {
        (books::EARNED, account, "order_earned")
    } else {
        (account, books::EARNED, "order_refunded")
    };
    let posting = Posting {
        reference: &format!("order:{order}:points:{}", standing.postings + 1),
        from,
        to,
        unit: Unit::Points,
        amount: difference.abs(),
        overdraft: Overdraft::Allowed,
        kind,
        explanation,
        subject: Some(order.uuid()),
        at,
    };
    let posted = ledger::post(conn, posting).await.map_err(books::fault)?;
    db::order_points::given(conn, order, due).await?;
    Ok(posted.to.or(posted.from).map(|side| (difference, side)))
}
