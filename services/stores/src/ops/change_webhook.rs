//! Changes, lists and removes the webhook subscriptions of a company, and sends deliveries again. A subscription or delivery
//! of another company is unknown.

use std::io;

use jiff::SignedDuration;
use kit::InternalError;
use types::{CompanyId, WebhookSubscriptionId};

use crate::{
    Stores,
    db::{
        webhook_deliveries::{self, ReplaySelection},
        webhook_subscriptions,
    },
    domain::{webhook::Subscription, webhook_keys::UnknownKey, webhook_secret::WebhookSecret},
};

#[derive(Debug, thiserror::Error)]
pub enum ChangeWebhookError {
    #[error("the company has no such subscription")]
    Unknown,
    #[error(transparent)]
    UnknownKey(#[from] UnknownKey),
    #[error("the secret cannot be printed, so that nothing was changed: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ChangeWebhookError);

fn require(changed: bool) -> Result<(), ChangeWebhookError> {
    if changed {
        Ok(())
    } else {
        Err(ChangeWebhookError::Unknown)
    }
}

pub async fn list_webhooks(
    cx: &Stores,
    company_id: CompanyId,
) -> Result<Vec<Subscription>, ChangeWebhookError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(webhook_subscriptions::list(&mut conn, company_id).await?)
}

/// Returns the new secret, which is printed before the commit. Deliveries have a signature of the previous one, too, for the duration of `overlap`.
///
/// # Errors
/// The previous secret was encrypted with another key: deliveries could not be signed with it, and stores, which has that key, could not
/// read the new one.
pub async fn rotate_webhook_secret(
    cx: &Stores,
    company_id: CompanyId,
    id: WebhookSubscriptionId,
    overlap: SignedDuration,
    print: impl FnOnce(&WebhookSecret) -> io::Result<()>,
) -> Result<WebhookSecret, ChangeWebhookError> {
    let secret = WebhookSecret::generate(&mut rand::rng());
    let until = cx.clock.now() + overlap;
    let sealed = cx.seal(&secret)?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let secrets = webhook_subscriptions::lock_secrets(&mut tx).await?;
    let (_, previous, _) = secrets
        .iter()
        .find(|(subscription, ..)| *subscription == id)
        .ok_or(ChangeWebhookError::Unknown)?;
    cx.webhook_keys.open(previous)?;
    require(webhook_subscriptions::rotate_secret(&mut tx, company_id, id, &sealed, until).await?)?;
    print(&secret)?;
    tx.commit().await?;
    Ok(secret)
}

/// Deliveries of a paused subscription wait until it is resumed. Then they are attempted for as long as new ones.
pub async fn set_webhook_paused(
    cx: &Stores,
    company_id: CompanyId,
    id: WebhookSubscriptionId,
    paused: bool,
) -> Result<(), ChangeWebhookError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    require(webhook_subscriptions::set_paused(&mut tx, company_id, id, paused).await?)?;
    if !paused {
        webhook_deliveries::restart_retry_window(&mut tx, id, cx.clock.now()).await?;
    }
    tx.commit().await?;
    Ok(())
}

pub async fn remove_webhook(
    cx: &Stores,
    company_id: CompanyId,
    id: WebhookSubscriptionId,
) -> Result<(), ChangeWebhookError> {
    let mut conn = cx.pool.acquire().await?;
    require(webhook_subscriptions::delete(&mut conn, company_id, id).await?)
}

/// Makes finished deliveries due again, with their ids. Returns their number.
///
/// # Errors
/// The company has no such subscription.
pub async fn replay_webhooks(
    cx: &Stores,
    company_id: CompanyId,
    selection: ReplaySelection,
) -> Result<u64, ChangeWebhookError> {
    let mut conn = cx.pool.acquire().await?;
    if let ReplaySelection::Failed(id) | ReplaySelection::Since(id, _) = selection {
        let subscriptions = webhook_subscriptions::list(&mut conn, company_id).await?;
        require(subscriptions.iter().any(|subscription| subscription.id == id))?;
    }
    Ok(webhook_deliveries::replay(&mut conn, company_id, selection, cx.clock.now()).await?)
}
