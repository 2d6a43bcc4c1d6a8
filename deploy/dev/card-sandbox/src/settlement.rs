//! The worker that makes the banks' decisions when they are due.

use std::sync::Arc;
use std::time::Duration;

use crate::clock;
use crate::resources::bank_debits;
use crate::sandbox::Sandbox;

const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Runs until shutdown.
pub async fn run(sandbox: Arc<Sandbox>) {
    while sandbox
        .shutdown
        .run_until_cancelled(tokio::time::sleep(POLL_INTERVAL))
        .await
        .is_some()
    {
        let now_ms = clock::now_ms();
        let due: Vec<String> = sandbox.read(|state| {
            state
                .scheduled_decisions
                .iter()
                .filter(|decision| !decision.done && decision.at_ms <= now_ms)
                .map(|decision| decision.object.clone())
                .collect()
        });
        for object in due {
            let context = sandbox.internal_context();
            sandbox.change(|state| bank_debits::decide(state, &context, &object));
        }
    }
}
