//! What a live stream of orders waits for.

use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::live_orders::{LiveUpdate, Subscription};

/// Interval for polling ordering while the broker is unavailable.
const POLL_INTERVAL: Duration = Duration::from_secs(3);
/// Interval for checking the session, which may end on another gateway.
const SESSION_CHECK_INTERVAL: Duration = Duration::from_secs(15);

/// What a stream has to handle next.
#[derive(Debug)]
pub(crate) enum Signal {
    Update(LiveUpdate),
    /// Updates may have been missed: all orders have to be read.
    MissedUpdates,
    /// It is time to repeat a failed read.
    Poll,
    CheckSession,
    /// The process shuts down.
    End,
}

/// The signals of one stream.
#[derive(Debug)]
pub(crate) struct StreamSignals {
    subscription: Subscription,
    poll: Interval,
    session_check: Interval,
    shutdown: CancellationToken,
}

impl StreamSignals {
    pub(crate) fn new(subscription: Subscription, shutdown: CancellationToken) -> Self {
        let (mut poll, mut session_check) = (interval(POLL_INTERVAL), interval(SESSION_CHECK_INTERVAL));
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick of an interval completes immediately, but the snapshot is current.
        poll.reset();
        session_check.reset();
        Self {
            subscription,
            poll,
            session_check,
            shutdown,
        }
    }

    pub(crate) async fn next(&mut self) -> Signal {
        let Subscription {
            updates,
            is_connected,
            ..
        } = &mut self.subscription;
        tokio::select! {
            () = self.shutdown.cancelled() => Signal::End,
            update = updates.recv() => match update {
                Ok(update) => Signal::Update(update),
                Err(RecvError::Lagged(_)) => Signal::MissedUpdates,
                Err(RecvError::Closed) => Signal::End,
            },
            // Changes during a disconnection were not received.
            changed = is_connected.changed() => {
                if changed.is_ok() { Signal::MissedUpdates } else { Signal::End }
            }
            _ = self.poll.tick() => {
                if *is_connected.borrow() { Signal::Poll } else { Signal::MissedUpdates }
            }
            _ = self.session_check.tick() => Signal::CheckSession,
        }
    }
}
