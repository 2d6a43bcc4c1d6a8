//! Delivery of events: signed, retried with a growing wait, in no promised order, and resumed after a restart.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use tokio::sync::Semaphore;

use crate::books::{Kept as _, Record};
use crate::clock;
use crate::sandbox::Sandbox;

const MOST_ATTEMPTS: u32 = 40;
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const AT_ONCE: usize = 8;
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Where the delivery of an event stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Delivery {
    pub event: String,
    pub attempts: u32,
    pub delivered: bool,
    /// The last answer, or why there was none.
    pub last: Option<String>,
}

impl Delivery {
    pub fn new(event: &str) -> Self {
        Self {
            event: event.to_owned(),
            attempts: 0,
            delivered: false,
            last: None,
        }
    }

    /// The event of a change that queued a delivery.
    pub fn newly_due(change: &Record) -> Option<String> {
        let queued = change.kind == Self::KIND && change.value["attempts"] == 0;
        change.value["event"]
            .as_str()
            .filter(|_| queued)
            .map(ToOwned::to_owned)
    }

    /// Whether it is still to be tried.
    pub fn open(&self) -> bool {
        !self.delivered && self.attempts < MOST_ATTEMPTS
    }
}

/// The `Stripe-Signature` of a body sent at a time.
pub fn signature(secret: &str, at: i64, body: &str) -> String {
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return format!("t={at}");
    };
    let digest = mac.chain_update(format!("{at}.{body}")).finalize().into_bytes();
    format!("t={at},v1={}", hex::encode(digest))
}

/// Delivers what is queued until the sandbox stops. Each event has a task, which ends with its delivery.
pub async fn work(sandbox: Arc<Sandbox>) {
    let Some(mut queue) = sandbox
        .deliveries()
        .filter(|_| !sandbox.config.webhook_url.is_empty())
    else {
        return;
    };
    let courier = Arc::new(Courier {
        http: reqwest::Client::new(),
        on_the_way: Mutex::default(),
        slots: Semaphore::new(AT_ONCE),
        sandbox: Arc::clone(&sandbox),
    });
    while let Some(Some(event)) = sandbox.stopping.run_until_cancelled(queue.recv()).await {
        if courier.take(&event) {
            sandbox.tasks.spawn(Arc::clone(&courier).carry(event));
        }
    }
}

struct Courier {
    http: reqwest::Client,
    on_the_way: Mutex<HashSet<String>>,
    slots: Semaphore,
    sandbox: Arc<Sandbox>,
}

impl Courier {
    fn take(&self, event: &str) -> bool {
        self.on_the_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(event.to_owned())
    }

    async fn carry(self: Arc<Self>, event: String) {
        loop {
            let stopping = &self.sandbox.stopping;
            let finished = stopping
                .run_until_cancelled(self.until_delivered(&event))
                .await
                .is_some();
            self.on_the_way
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&event);
            // It may have been queued once more in the meantime.
            let again = self
                .sandbox
                .read(|books| books.deliveries.get(&event).is_some_and(Delivery::open));
            if !finished || !again || !self.take(&event) {
                return;
            }
        }
    }

    async fn until_delivered(&self, event: &str) {
        let mut wait = Duration::from_millis(self.sandbox.config.webhook_backoff_ms);
        loop {
            // The channel's sender lives as long as the sandbox, so waiting on it cannot fail.
            let _ = self
                .sandbox
                .delivering
                .subscribe()
                .wait_for(|delivering| *delivering)
                .await;
            let result = match self.slots.acquire().await {
                Ok(_slot) => self.attempt(event).await,
                Err(_) => return,
            };
            if !self.note(event, result) {
                return;
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// One attempt: the status that was answered, or why there was no answer.
    async fn attempt(&self, event: &str) -> Result<reqwest::StatusCode, String> {
        let body = self
            .sandbox
            .read(|books| books.events.get(event).map(serde_json::to_string));
        let body = body
            .ok_or("the event is gone")?
            .map_err(|error| error.to_string())?;
        let config = &self.sandbox.config;
        let sent = self
            .http
            .post(&config.webhook_url)
            .header("content-type", "application/json; charset=utf-8")
            .header(
                "stripe-signature",
                signature(&config.webhook_secret, clock::now_ms() / 1000, &body),
            )
            .body(body)
            .timeout(ANSWER_WITHIN)
            .send()
            .await;
        sent.map(|response| response.status())
            .map_err(|error| error.without_url().to_string())
    }

    /// Writes down what came of an attempt; true when there is to be another.
    fn note(&self, event: &str, result: Result<reqwest::StatusCode, String>) -> bool {
        let delivered = result.as_ref().is_ok_and(reqwest::StatusCode::is_success);
        let last = result.map_or_else(|error| error, |status| status.as_u16().to_string());
        self.sandbox.change(|books| {
            let Some(mut delivery) = books.deliveries.get(event).cloned() else {
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
            books.put(delivery.clone());
            if let Some(mut event) = books.events.get(event).filter(|_| delivered).cloned() {
                event.pending_webhooks = 0;
                books.put(event);
            }
            delivery.open()
        })
    }
}
