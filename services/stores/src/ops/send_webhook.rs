//! Sends one delivery that was leased. The receiver gets it again, with the same id, if the process ends before the result is
//! recorded.

use kit::{InternalError, metrics::Counter};

use crate::{
    Stores,
    db::webhook_deliveries::{Attempt, record_attempt},
    domain::{
        webhook::{LeasedDelivery, next_attempt},
        webhook_secret::signatures,
    },
    webhook_client::WebhookRequest,
};

static ATTEMPTS: Counter = Counter::new(
    "stores.webhook.attempts",
    "Attempts to deliver webhooks by result",
);

pub(crate) async fn send_webhook(cx: &Stores, delivery: &LeasedDelivery) -> Result<(), InternalError> {
    let (response_status, error) = match send(cx, delivery).await {
        Ok(status) if status.is_success() => (Some(status.as_u16()), None),
        Ok(status) => (
            Some(status.as_u16()),
            Some(format!("the receiver responded {status}")),
        ),
        Err(error) => (None, Some(error)),
    };
    kit::fault_point::reach("webhook.sent");
    let now = cx.clock.now();
    let next_attempt_at = next_attempt(delivery.attempts, delivery.retry_until, now, &mut rand::rng());
    let attempt = Attempt {
        response_status,
        error: error.as_deref(),
        next_attempt_at,
    };
    let mut conn = cx.pool.acquire().await?;
    record_attempt(&mut conn, delivery, &attempt, now).await?;
    log(delivery, error.as_deref(), next_attempt_at.is_some());
    Ok(())
}

async fn send(cx: &Stores, delivery: &LeasedDelivery) -> Result<reqwest::StatusCode, String> {
    let webhook_id = delivery.id.to_string();
    let sent_at = cx.clock.now();
    let secrets: Result<Vec<_>, _> = delivery
        .secrets
        .iter()
        .map(|sealed| cx.webhook_keys.open(sealed))
        .collect();
    let secrets = secrets.map_err(|error| error.to_string())?;
    let signatures =
        signatures(&secrets, &webhook_id, sent_at, &delivery.payload).map_err(|error| error.to_string())?;
    let request = WebhookRequest {
        url: &delivery.url,
        webhook_id: &webhook_id,
        timestamp: sent_at.as_second(),
        signatures: &signatures,
        payload: &delivery.payload,
    };
    cx.webhooks.send(&request).await
}

fn log(delivery: &LeasedDelivery, error: Option<&str>, is_retried: bool) {
    let LeasedDelivery { id, attempts, .. } = delivery;
    let result = match (error, is_retried) {
        (None, _) => "delivered",
        (Some(error), true) => {
            tracing::info!(%id, attempts, error, "webhook not delivered; will retry");
            "retried"
        }
        (Some(error), false) => {
            tracing::error!(%id, attempts, error, "webhook failed; see `stores webhooks replay`");
            "failed"
        }
    };
    ATTEMPTS.add(1, &[("result", result)]);
}
