use kit::InternalError;
use types::{ConsumerId, MessageId};

use crate::{Rewards, db::messages};

/// Marks messages as seen, all if `message_ids` is empty, and returns the number of unseen messages. Ignores ids of
/// other consumers' messages.
pub async fn mark_inbox_as_seen(
    cx: &Rewards,
    consumer_id: ConsumerId,
    message_ids: &[MessageId],
) -> Result<u32, InternalError> {
    let message_ids: Vec<_> = message_ids.iter().map(|id| id.uuid()).collect();
    let mut conn = cx.pool.acquire().await?;
    messages::mark_as_seen(&mut conn, consumer_id, &message_ids, cx.clock.now()).await?;
    Ok(messages::count_unseen(&mut conn, consumer_id).await?)
}
