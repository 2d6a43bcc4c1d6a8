use kit::InternalError;
use types::{ConsumerId, Page};

use crate::{Rewards, db::messages, domain::inbox::InboxPage};

/// Returns a page of the consumer's inbox, newest first.
pub async fn list_inbox(
    cx: &Rewards,
    consumer_id: ConsumerId,
    page: Page,
) -> Result<InboxPage, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(InboxPage {
        messages: messages::list(&mut conn, consumer_id, page).await?,
        counts: messages::count(&mut conn, consumer_id).await?,
    })
}
