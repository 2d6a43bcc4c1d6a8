//! Webhook delivery: signed, retried with backoff, unordered, and continued after a restart.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio::sync::Semaphore;

use crate::clock;
use crate::objects::Delivery;
use crate::sandbox::Sandbox;

const MAX_BACKOFF: Duration = Duration::from_mins(1);
const MAX_CONCURRENT_ATTEMPTS: usize = 8;
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the `Stripe-Signature` header of a body that is sent at a time in seconds.
pub fn signature(secret: &str, at: i64, body: &str) -> String {
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return format!("t={at}");
    };
    let digest = mac.chain_update(format!("{at}.{body}")).finalize().into_bytes();
    format!("t={at},v1={}", hex::encode(digest))
}

/// Delivers queued events until shutdown, each in its own task.
pub async fn run(sandbox: Arc<Sandbox>) {
    let Some(mut queue) = sandbox
        .take_delivery_receiver()
        .filter(|_| !sandbox.config.webhook_url.is_empty())
    else {
        return;
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let deliverer = Arc::new(Deliverer {
        http: reqwest::Client::new(),
        in_progress: Mutex::default(),
        slots: Semaphore::new(MAX_CONCURRENT_ATTEMPTS),
        sandbox: Arc::clone(&sandbox),
    });
    while let Some(Some(event)) = sandbox.shutdown.run_until_cancelled(queue.recv()).await {
        if deliverer.begin(&event) {
            sandbox.tasks.spawn(Arc::clone(&deliverer).deliver(event));
        }
    }
}

struct Deliverer {
    http: reqwest::Client,
    /// The ids of the events that have a task.
    in_progress: Mutex<HashSet<String>>,
    slots: Semaphore,
    sandbox: Arc<Sandbox>,
}

impl Deliverer {
    /// Marks an event as in progress. Returns false if it already is.
    fn begin(&self, event: &str) -> bool {
        self.in_progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(event.to_owned())
    }

    async fn deliver(self: Arc<Self>, event: String) {
        loop {
            let shutdown = &self.sandbox.shutdown;
            let is_finished = shutdown
                .run_until_cancelled(self.retry_until_delivered(&event))
                .await
                .is_some();
            self.in_progress
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&event);
            // A resend may have been requested while the delivery was in progress.
            let is_pending = self
                .sandbox
                .read(|state| state.deliveries.get(&event).is_some_and(Delivery::is_pending));
            if !is_finished || !is_pending || !self.begin(&event) {
                return;
            }
        }
    }

    async fn retry_until_delivered(&self, event: &str) {
        let mut backoff = Duration::from_millis(self.sandbox.config.webhook_backoff_ms);
        loop {
            // Fails only if the sender is dropped; `self` holds it.
            let _ = self
                .sandbox
                .deliveries_enabled
                .subscribe()
                .wait_for(|enabled| *enabled)
                .await;
            let result = match self.slots.acquire().await {
                Ok(_slot) => self.attempt(event).await,
                Err(_) => return,
            };
            if !self.record_attempt(event, result) {
                return;
            }
            tokio::time::sleep(backoff).await;
            backoff = (backoff * 2).min(MAX_BACKOFF);
        }
    }

    /// Sends the event once. Returns the status of the response, or the error if there was none.
    async fn attempt(&self, event: &str) -> Result<reqwest::StatusCode, String> {
        let body = self
            .sandbox
            .read(|state| state.events.get(event).map(serde_json::to_string));
        let body = body
            .ok_or("the event does not exist")?
            .map_err(|error| error.to_string())?;
        let config = &self.sandbox.config;
        let result = self
            .http
            .post(&config.webhook_url)
            .header("content-type", "application/json; charset=utf-8")
            .header(
                "stripe-signature",
                signature(&config.webhook_secret, clock::now_ms() / 1000, &body),
            )
            .body(body)
            .timeout(RESPONSE_TIMEOUT)
            .send()
            .await;
        result
            .map(|response| response.status())
            .map_err(|error| error.without_url().to_string())
    }

    /// Records the result of an attempt. Returns whether another attempt is due.
    fn record_attempt(&self, event: &str, result: Result<reqwest::StatusCode, String>) -> bool {
        let delivered = result.as_ref().is_ok_and(reqwest::StatusCode::is_success);
        let last = result.map_or_else(|error| error, |status| status.as_u16().to_string());
        self.sandbox.change(|state| {
            let Some(mut delivery) = state.deliveries.get(event).cloned() else {
                return false;
            };
            delivery.attempts += 1;
            delivery.delivered = delivered;
            if delivered {
                tracing::debug!(event, attempts = delivery.attempts, "webhook delivered");
            } else {
                tracing::warn!(event, attempts = delivery.attempts, last, "webhook not delivered");
            }
            delivery.last = Some(last);
            state.put(delivery.clone());
            if let Some(mut event) = state.events.get(event).filter(|_| delivered).cloned() {
                event.pending_webhooks = 0;
                state.put(event);
            }
            delivery.is_pending()
        })
    }
}
