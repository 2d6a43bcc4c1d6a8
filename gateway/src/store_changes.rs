//! A live stream of the changes of a store.

use std::time::Duration;

use async_stream::stream;
use axum::response::sse::Event;
use futures::Stream;
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};

use crate::gateway::Gateway;
use crate::public_reads::StoreWatch;

/// While no events are received, clients are asked to read the store again at this interval.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// The data of each event.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedStore<'a> {
    store_id: &'a str,
}

/// Returns an event for each kind of change, until the process shuts down. Changes in quick succession are one event.
pub(crate) fn events(
    gateway: Gateway,
    store_id: String,
    mut watch: StoreWatch,
) -> impl Stream<Item = Result<Event, axum::Error>> {
    stream! {
        let mut sent = *watch.changes.borrow_and_update();
        let mut refresh = interval(REFRESH_INTERVAL);
        refresh.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick of an interval completes immediately.
        refresh.reset();
        loop {
            let (menu, status) = tokio::select! {
                () = gateway.shutdown.cancelled() => break,
                changed = watch.changes.changed() => {
                    if changed.is_err() {
                        break;
                    }
                    let counts = *watch.changes.borrow_and_update();
                    let before = std::mem::replace(&mut sent, counts);
                    (counts.menu != before.menu, counts.status != before.status)
                }
                _ = refresh.tick() => {
                    let needs_refresh = !gateway.public_reads.receives_events();
                    (needs_refresh, needs_refresh)
                }
            };
            for (name, has_changed) in [("menu", menu), ("status", status)] {
                if has_changed {
                    yield Event::default().event(name).json_data(ChangedStore { store_id: &store_id });
                }
            }
        }
    }
}
