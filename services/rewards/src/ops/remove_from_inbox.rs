//! A consumer clears messages away.

use kit::InternalError;
use types::{ConsumerId, MessageId};

use crate::{Rewards, db};

/// Takes these messages out of the inbox and says how many are left unseen. Somebody else's are left alone.
///
/// # Errors
/// [`InternalError`].
pub async fn remove_from_inbox(
    cx: &Rewards,
    consumer: ConsumerId,
    messages: &[MessageId],
) -> Result<u32, InternalError> {
    let named: Vec<_> = messages.iter().map(|message| message.uuid()).collect();
    let mut conn = cx.pool.acquire().await?;
    db::messages::remove(&mut conn, consumer, &named, cx.clock.now()).await?;
    Ok(db::messages::count(&mut conn, consumer).await?.unseen)
}
