//! Resumes stores at the end of their pause.

use std::{sync::Arc, time::Duration};

use kit::lifecycle::Process;

use crate::{Stores, ops};

/// Stores accept orders from the end of a pause on, whether or not this has run. It only publishes the change.
const INTERVAL: Duration = Duration::from_secs(5);

/// Runs until the process stops.
pub(crate) async fn run(process: Process, cx: Arc<Stores>) {
    loop {
        match ops::end_pauses::end_pauses(&cx).await {
            Ok(0) => {}
            Ok(stores) => tracing::info!(stores, "pauses ended"),
            Err(error) => tracing::warn!(%error, "ending pauses failed"),
        }
        if !process.sleep(INTERVAL).await {
            return;
        }
    }
}
