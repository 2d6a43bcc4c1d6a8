//! Subscribes a company to events of the orders of its stores.

use std::io;

use kit::InternalError;
use types::{CompanyId, WebhookSubscriptionId};

use crate::{
    Stores, db,
    domain::{
        webhook::{EventKind, Subscription},
        webhook_secret::WebhookSecret,
    },
    webhook_client::UrlError,
};

#[derive(Debug, thiserror::Error)]
pub enum AddWebhookError {
    #[error(transparent)]
    Url(#[from] UrlError),
    #[error("the company has a subscription with this URL")]
    UrlTaken,
    #[error("unknown company: {0}")]
    CompanyUnknown(CompanyId),
    #[error("the secret cannot be printed, so that nothing was added: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(AddWebhookError);

/// Creates a subscription to `kinds`, or to all events if it is empty. Returns its id and its secret, which is not shown again and is
/// therefore printed before the commit.
pub async fn add_webhook(
    cx: &Stores,
    company_id: CompanyId,
    url: &str,
    kinds: &[EventKind],
    print: impl FnOnce(WebhookSubscriptionId, &WebhookSecret) -> io::Result<()>,
) -> Result<(WebhookSubscriptionId, WebhookSecret), AddWebhookError> {
    let url = cx.webhooks.check(url).await?;
    let kinds = if kinds.is_empty() { EventKind::ALL } else { kinds };
    let mut event_kinds: Vec<_> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
    event_kinds.sort_unstable();
    event_kinds.dedup();
    let now = cx.clock.now();
    let subscription = Subscription {
        id: WebhookSubscriptionId::new(now),
        company_id,
        url: url.into(),
        event_kinds,
        paused: false,
        created_at: now,
        pending: 0,
        failed: 0,
    };
    let secret = WebhookSecret::generate(&mut rand::rng());
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let inserted = db::webhook_subscriptions::insert(&mut tx, &subscription, &cx.seal(&secret)?).await;
    if let Err(error) = inserted {
        let constraint = error.as_database_error().and_then(|error| error.constraint());
        return Err(match constraint {
            Some("webhook_subscriptions_url_unique") => AddWebhookError::UrlTaken,
            Some("webhook_subscriptions_company_fkey") => AddWebhookError::CompanyUnknown(company_id),
            Some("webhook_subscriptions_url_length") => UrlError::Malformed.into(),
            _ => error.into(),
        });
    }
    print(subscription.id, &secret)?;
    tx.commit().await?;
    Ok((subscription.id, secret))
}
