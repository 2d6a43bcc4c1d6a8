//! Queues a notification for the consumer's channels.

use kit::consumer::ConsumeError;
use proto::rewards::v1::{NotificationEvent, notification_event::Change};
use sqlx::PgConnection;

use crate::{Accounts, convert::requested_notification, ops::request_notification::request_notification};

pub(super) async fn handle(
    cx: &Accounts,
    event: NotificationEvent,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    let Some(Change::Requested(requested)) = event.change else {
        return Ok(());
    };
    let notification = requested_notification(&event.consumer_id, requested, cx.clock.now())?;
    request_notification(cx, tx, &notification).await?;
    Ok(())
}
