//! A page of the inbox.

use kit::InternalError;
use types::{ConsumerId, Page};

use crate::{
    Rewards,
    db::{
        self,
        messages::{Counts, Message},
    },
};

/// A consumer's messages, newest first, and how many there are and are unseen in all.
///
/// # Errors
/// [`InternalError`].
pub async fn list_inbox(
    cx: &Rewards,
    consumer: ConsumerId,
    page: Page,
) -> Result<(Vec<Message>, Counts), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let messages = db::messages::list(&mut conn, consumer, page).await?;
    Ok((messages, db::messages::count(&mut conn, consumer).await?))
}
