use jiff::Timestamp;
use kit::InternalError;
use ledger::{BalanceAfter, Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::ConsumerId;

use crate::{
    db::{
        accounts::{self, EARNED},
        order_points,
    },
    domain::points::{OrderPoints, points_earned},
};

/// A change of a consumer's points, and the balance after it.
pub(super) struct Adjustment {
    /// Negative if points were revoked.
    pub(super) points: i64,
    pub(super) after: BalanceAfter,
}

/// Posts the difference between the points that an order earns and those posted for it so far. Returns `None` if
/// there is none. The result does not depend on the order in which completion and refunds arrive.
pub(super) async fn adjust_points(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    order: OrderPoints,
    explanation: &str,
    at: Timestamp,
) -> Result<Option<Adjustment>, InternalError> {
    let earned = if order.is_unpaid {
        0
    } else {
        points_earned(order.earning, order.refunded, order.points_per_unit)
    };
    let difference = earned - order.points;
    if difference == 0 {
        return Ok(None);
    }
    let account = accounts::open_points(conn, consumer_id, at).await?;
    let (from, to, kind) = if difference > 0 {
        (EARNED, account, "order_earned")
    } else {
        (account, EARNED, "order_refunded")
    };
    let posting = Posting {
        reference: &format!("order:{}:points:{}", order.order_id, order.postings + 1),
        from,
        to,
        unit: Unit::Points,
        amount: difference.abs(),
        // Points for a refunded amount are revoked even if they were spent.
        overdraft: Overdraft::Allowed,
        kind,
        explanation,
        subject: Some(order.order_id.uuid()),
        at,
    };
    let posted = ledger::post(conn, posting).await?;
    order_points::set_points(conn, order.order_id, earned).await?;
    let after = posted.to.or(posted.from);
    Ok(after.map(|after| Adjustment {
        points: difference,
        after,
    }))
}
