use std::{future::Future, time::Duration};

use tokio::time::Instant;
use tonic::{Response, Status};

use super::deadline;
use crate::{
    backoff::Backoff,
    service_error::{ErrorCode, ServiceError},
};

const BACKOFF: Backoff = Backoff::new(Duration::from_millis(50), Duration::from_secs(1));

/// Repeats a call with backoff while the callee is unavailable, until `budget` or the time to the current deadline has passed. Only
/// for idempotent methods.
pub async fn retry<T, F, C>(budget: Duration, mut call: C) -> Result<T, Status>
where
    C: FnMut() -> F,
    F: Future<Output = Result<Response<T>, Status>>,
{
    let end = Instant::now() + deadline::time_remaining().map_or(budget, |time| time.min(budget));
    let mut delays = BACKOFF.delays();
    loop {
        let status = match call().await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status) => status,
        };
        let is_transient = ServiceError::from_status(&status).code == ErrorCode::Unavailable;
        let delay = delays.next_delay();
        if !is_transient || Instant::now() + delay >= end {
            return Err(status);
        }
        tracing::debug!(code = ?status.code(), retry_in = ?delay, "call failed; will retry");
        tokio::time::sleep(delay).await;
    }
}
