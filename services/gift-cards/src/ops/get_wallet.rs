//! The balances that can pay.

use kit::InternalError;
use types::{BalanceId, ConsumerId, Money};

use super::books;
use crate::{GiftCards, db};

/// A balance of a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// Its id.
    pub id: BalanceId,
    /// What can be spent.
    pub available: Money,
    /// What orders hold that no store has accepted yet.
    pub held: Money,
}

/// A consumer's JoePass, opened with nothing on it on first sight; `None` for a consumer who was removed.
///
/// # Errors
/// [`InternalError`].
pub async fn get_wallet(cx: &GiftCards, consumer: ConsumerId) -> Result<Option<Balance>, InternalError> {
    let mut tx = cx.pool.begin().await?;
    let Some(account) = books::joepass(&mut tx, consumer, cx.clock.now()).await? else {
        return Ok(None);
    };
    let id = books::balance_id(account);
    let available = ledger::account::balance(&mut tx, account)
        .await?
        .unwrap_or_default();
    let held = db::holds::held_of(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Some(Balance {
        id,
        available: Money::usd(available),
        held,
    }))
}
