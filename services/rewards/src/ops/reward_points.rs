//! Points that rewards cost.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, PostError, Posting, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, OrderId};

use crate::{
    db::{
        accounts::{self, SPENT},
        claims,
    },
    domain::claim::{Claim, ClaimedDiscount},
};

/// Returns the consumer's points.
pub(super) async fn balance(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<i64> {
    let balance = match accounts::find_points(conn, consumer_id).await? {
        Some(account) => ledger::account::balance(conn, account).await?,
        None => None,
    };
    Ok(balance.unwrap_or_default())
}

/// Takes points for the reward of an order. Returns `false` if the consumer has fewer.
pub(super) async fn spend(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    order_id: OrderId,
    points: i64,
    at: Timestamp,
) -> Result<bool, InternalError> {
    let account = accounts::open_points(conn, consumer_id, at).await?;
    let posting = Posting {
        reference: &format!("order:{order_id}:reward"),
        from: account,
        to: SPENT,
        unit: Unit::Points,
        amount: points,
        overdraft: Overdraft::Forbidden,
        kind: "reward_used",
        explanation: "Reward",
        subject: Some(order_id.uuid()),
        at,
    };
    match ledger::post(conn, posting).await {
        Ok(_) => Ok(true),
        Err(PostError::InsufficientBalance { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Gives back the points of a claim that the caller has locked and released. Does nothing if it cost none, or the consumer was
/// removed. A removal at the same time waits for the lock.
pub(super) async fn give_back(
    conn: &mut PgConnection,
    order_id: OrderId,
    discount: &ClaimedDiscount,
    at: Timestamp,
) -> Result<(), InternalError> {
    let (Some(points), Some(consumer_id)) = (discount.points, discount.consumer_id) else {
        return Ok(());
    };
    let account = accounts::open_points(conn, consumer_id, at).await?;
    let posting = Posting {
        reference: &format!("order:{order_id}:reward:returned"),
        from: SPENT,
        to: account,
        unit: Unit::Points,
        amount: points,
        overdraft: Overdraft::Forbidden,
        kind: "reward_returned",
        explanation: "Reward returned",
        subject: Some(order_id.uuid()),
        at,
    };
    ledger::post(conn, posting).await?;
    Ok(())
}

/// Releases the reward of a refunded order and gives back its points. Other claims stay, so that a code that is allowed once
/// stays used.
pub(super) async fn return_reward(
    conn: &mut PgConnection,
    order_id: OrderId,
    at: Timestamp,
) -> Result<(), InternalError> {
    let Some(Claim::Claimed(discount)) = claims::lock(conn, order_id).await? else {
        return Ok(());
    };
    if discount.points.is_some() {
        claims::release(conn, order_id, at).await?;
        give_back(conn, order_id, &discount, at).await?;
    }
    Ok(())
}
