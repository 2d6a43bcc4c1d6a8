//! The only module that reads the time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the milliseconds since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "the sandbox simulates another company's system, which has its own clock"
)]
pub fn now_ms() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}
