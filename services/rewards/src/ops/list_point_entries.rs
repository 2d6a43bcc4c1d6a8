//! The points ledger read back.

use kit::InternalError;
use ledger::Line;
use types::{ConsumerId, Page};

use super::books;
use crate::Rewards;

/// A consumer's entries, newest first; their sum is the balance.
///
/// # Errors
/// [`InternalError`].
pub async fn list_point_entries(
    cx: &Rewards,
    consumer: ConsumerId,
    page: Page,
) -> Result<Vec<Line>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    match books::find(&mut conn, consumer).await? {
        Some(account) => Ok(ledger::lines(&mut conn, account, page).await?),
        None => Ok(Vec::new()),
    }
}
