//! Plans the deliveries of an event in the transaction that consumes it.

use jiff::Timestamp;
use sqlx::PgConnection;

use crate::{db::webhook_deliveries, domain::webhook::WebhookEvent};

/// A repeated event has no further effect.
pub(crate) async fn record_webhook_event(
    tx: &mut PgConnection,
    event: &WebhookEvent,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    for subscription in webhook_deliveries::subscriptions_to(tx, event).await? {
        webhook_deliveries::insert(tx, subscription, event, now).await?;
    }
    Ok(())
}
