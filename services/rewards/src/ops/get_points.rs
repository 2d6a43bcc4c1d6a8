//! A consumer's points and what they can be turned into.

use kit::InternalError;
use types::ConsumerId;

use super::books;
use crate::{
    Rewards,
    db::{self, tiers::Tier},
};

/// A balance and the tiers.
pub struct Points {
    /// The points.
    pub balance: i64,
    /// What they can be turned into, the cheapest first.
    pub tiers: Vec<Tier>,
}

/// Reads them.
///
/// # Errors
/// [`InternalError`].
pub async fn get_points(cx: &Rewards, consumer: ConsumerId) -> Result<Points, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let balance = match books::find(&mut conn, consumer).await? {
        Some(account) => ledger::account::balance(&mut conn, account)
            .await?
            .unwrap_or_default(),
        None => 0,
    };
    Ok(Points {
        balance,
        tiers: db::tiers::list(&mut conn).await?,
    })
}
