//! The state and the handles that all requests and workers share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock;
use crate::config::Config;
use crate::faults::Faults;
use crate::idempotency::KeysInProgress;
use crate::journal::Journal;
use crate::objects::Delivery;
use crate::request::RequestContext;
use crate::state::{Record, State, Stored as _};

#[derive(Debug)]
pub struct Sandbox {
    pub config: Config,
    /// The origin under which browsers reach the sandbox.
    origin: String,
    persistent: Mutex<Persistent>,
    pub keys_in_progress: KeysInProgress,
    pub faults: Faults,
    /// Operations and deliveries in progress. Shutdown waits for them.
    pub tasks: TaskTracker,
    pub shutdown: CancellationToken,
    /// Sends the ids of events to the delivery worker.
    delivery_sender: mpsc::UnboundedSender<String>,
    delivery_receiver: Mutex<Option<mpsc::UnboundedReceiver<String>>>,
    /// While false, webhooks wait.
    pub deliveries_enabled: watch::Sender<bool>,
    settle_after_ms: AtomicI64,
}

#[derive(Debug)]
struct Persistent {
    state: State,
    journal: Option<Journal>,
}

impl Sandbox {
    /// Restores the state from the journal, if the configuration names one.
    ///
    /// # Errors
    /// If the journal cannot be read or written.
    pub fn open(config: Config, origin: String) -> anyhow::Result<Self> {
        let seed = config.seed.unwrap_or_else(random_seed);
        let (journal, state) = match &config.data {
            Some(directory) => {
                let (journal, state) = Journal::open(directory, seed)?;
                (Some(journal), state)
            }
            None => (None, State::new(seed)),
        };
        let (delivery_sender, delivery_receiver) = mpsc::unbounded_channel();
        for delivery in state.deliveries.iter().filter(|delivery| delivery.is_pending()) {
            delivery_sender.send(delivery.event.clone())?;
        }
        Ok(Self {
            settle_after_ms: AtomicI64::new(config.settle_after_ms),
            config,
            origin,
            persistent: Mutex::new(Persistent { state, journal }),
            keys_in_progress: KeysInProgress::default(),
            faults: Faults::default(),
            tasks: TaskTracker::new(),
            shutdown: CancellationToken::new(),
            delivery_sender,
            delivery_receiver: Mutex::new(Some(delivery_receiver)),
            deliveries_enabled: watch::Sender::new(true),
        })
    }

    pub fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(
            &self
                .persistent
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .state,
        )
    }

    /// Changes the state. The changes are in the journal before this returns, and before their webhooks are sent.
    pub fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut persistent = self.persistent.lock().unwrap_or_else(PoisonError::into_inner);
        let Persistent { state, journal } = &mut *persistent;
        let result = change(state);
        let changes = state.take_changes();
        if changes.is_empty() {
            return result;
        }
        let new_deliveries: Vec<String> = changes.iter().filter_map(event_of_new_delivery).collect();
        if let Some(journal) = journal
            && let Err(error) = journal.append(state, changes)
        {
            tracing::error!("cannot write the journal: {error:#}");
        }
        for event in new_deliveries {
            // The receiver is dropped if webhooks are off or the sandbox shuts down. The state still has the delivery.
            let _ = self.delivery_sender.send(event);
        }
        result
    }

    /// Returns the queue of event ids for the delivery worker. Only the first call succeeds.
    pub fn take_delivery_receiver(&self) -> Option<mpsc::UnboundedReceiver<String>> {
        self.delivery_receiver
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Returns the context of a change that a request makes.
    pub fn request_context(&self, request_id: &str, idempotency_key: Option<&str>) -> RequestContext {
        RequestContext {
            request_id: Some(request_id.to_owned()),
            idempotency_key: idempotency_key.map(ToOwned::to_owned),
            ..self.internal_context()
        }
    }

    /// Returns the context of a change that the sandbox itself makes.
    pub fn internal_context(&self) -> RequestContext {
        RequestContext {
            now_ms: clock::now_ms(),
            request_id: None,
            idempotency_key: None,
            origin: self.origin.clone(),
            settle_after_ms: self.settle_after_ms.load(Ordering::Relaxed),
        }
    }

    /// Sets how long bank debits that start later stay in processing.
    pub fn set_settle_after_ms(&self, settle_after_ms: i64) {
        self.settle_after_ms.store(settle_after_ms, Ordering::Relaxed);
    }
}

/// Returns the event id if the record is a delivery without attempts.
fn event_of_new_delivery(record: &Record) -> Option<String> {
    if record.kind != Delivery::KIND || record.value["attempts"] != 0 {
        return None;
    }
    record.value["event"].as_str().map(ToOwned::to_owned)
}

#[expect(
    clippy::disallowed_methods,
    reason = "two runs without --seed must not create the same ids"
)]
fn random_seed() -> u64 {
    rand::random()
}
