//! What the whole program shares.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::books::Books;
use crate::call::Cause;
use crate::clock;
use crate::config::Config;
use crate::faults::Faults;
use crate::idempotency::Running;
use crate::journal::Journal;
use crate::webhooks::Delivery;

/// The running sandbox.
#[derive(Debug)]
pub struct Sandbox {
    pub config: Config,
    /// Where browsers reach the sandbox.
    origin: String,
    kept: Mutex<Kept>,
    pub running: Running,
    pub faults: Faults,
    /// Operations and deliveries in flight; a stop waits for them.
    pub tasks: TaskTracker,
    pub stopping: CancellationToken,
    /// Events that are to be delivered; the courier takes the other end.
    to_deliver: mpsc::UnboundedSender<String>,
    queue: Mutex<Option<mpsc::UnboundedReceiver<String>>>,
    /// False holds webhooks back.
    pub delivering: watch::Sender<bool>,
    settle_after_ms: AtomicI64,
}

#[derive(Debug)]
struct Kept {
    books: Books,
    journal: Option<Journal>,
}

impl Sandbox {
    /// Rebuilds the state from the journal, where there is one.
    ///
    /// # Errors
    /// When the journal cannot be read or written.
    pub fn open(config: Config, origin: String) -> anyhow::Result<Self> {
        let seed = config.seed.unwrap_or_else(fresh_seed);
        let (journal, books) = match &config.data {
            Some(directory) => {
                let (journal, books) = Journal::open(directory, seed)?;
                (Some(journal), books)
            }
            None => (None, Books::new(seed)),
        };
        let (to_deliver, queue) = mpsc::unbounded_channel();
        for delivery in books.deliveries.iter().filter(|delivery| delivery.open()) {
            to_deliver.send(delivery.event.clone())?;
        }
        Ok(Self {
            settle_after_ms: AtomicI64::new(config.settle_after_ms),
            config,
            origin,
            kept: Mutex::new(Kept { books, journal }),
            running: Running::default(),
            faults: Faults::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            to_deliver,
            queue: Mutex::new(Some(queue)),
            delivering: watch::Sender::new(true),
        })
    }

    /// Reads the books.
    pub fn read<T>(&self, look: impl FnOnce(&Books) -> T) -> T {
        look(&self.kept.lock().unwrap_or_else(PoisonError::into_inner).books)
    }

    /// Changes the books; what changed is in the journal before anybody hears of it.
    pub fn change<T>(&self, act: impl FnOnce(&mut Books) -> T) -> T {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { books, journal } = &mut *kept;
        let result = act(books);
        let changes = books.take_changes();
        if changes.is_empty() {
            return result;
        }
        let due: Vec<String> = changes.iter().filter_map(Delivery::newly_due).collect();
        if let Some(journal) = journal
            && let Err(error) = journal.append(books, changes)
        {
            tracing::error!("the journal cannot be written: {error:#}");
        }
        for event in due {
            // Nobody holds the other end where webhooks are off, or once the sandbox stops; the books remember.
            let _ = self.to_deliver.send(event);
        }
        result
    }

    /// The queue of events to deliver, for the one courier.
    pub fn deliveries(&self) -> Option<mpsc::UnboundedReceiver<String>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Why something happens now.
    pub fn cause(&self, request: Option<String>, idempotency_key: Option<String>) -> Cause {
        let settle_after_ms = self.settle_after_ms.load(Ordering::Relaxed);
        Cause {
            now_ms: clock::now_ms(),
            request,
            idempotency_key,
            origin: self.origin.clone(),
            settle_after_ms,
        }
    }

    /// How long bank debits take from now on.
    pub fn set_settle_after_ms(&self, settle_after_ms: i64) {
        self.settle_after_ms.store(settle_after_ms, Ordering::Relaxed);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "ids of one run must not meet those of another; --seed repeats them"
)]
fn fresh_seed() -> u64 {
    rand::random()
}
