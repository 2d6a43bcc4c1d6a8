//! Compares charges with the provider's four times a day, in case webhooks were lost.

use std::time::Duration;

use crate::Payments;
use crate::ops::audit::report_failure;
use crate::ops::compare_with_provider::{MAX_AGE, compare_with_provider};

const INTERVAL: Duration = Duration::from_hours(6);

/// Runs until shutdown. Every replica runs it: a comparison that is repeated changes nothing.
pub async fn run(cx: Payments) {
    while cx.process.sleep(INTERVAL).await {
        if let Err(error) = compare_with_provider(&cx, cx.clock.now() - MAX_AGE).await {
            report_failure(&error);
        }
    }
}
