//! A consumer has seen messages.

use kit::InternalError;
use types::{ConsumerId, MessageId};

use crate::{Rewards, db};

/// Marks these messages as seen, or all where none is named, and says how many are left unseen. Somebody else's are
/// left alone.
///
/// # Errors
/// [`InternalError`].
pub async fn mark_inbox_as_seen(
    cx: &Rewards,
    consumer: ConsumerId,
    messages: &[MessageId],
) -> Result<u32, InternalError> {
    let named: Vec<_> = messages.iter().map(|message| message.uuid()).collect();
    let mut conn = cx.pool.acquire().await?;
    db::messages::mark_seen(&mut conn, consumer, &named, cx.clock.now()).await?;
    Ok(db::messages::count(&mut conn, consumer).await?.unseen)
}
