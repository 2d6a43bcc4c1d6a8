//! Trying again, where the callee is idempotent.

use std::{future::Future, time::Duration};

use tokio::time::Instant;
use tonic::{Response, Status};

use crate::service_error::{ErrorCode, ServiceError};

const BACKOFF_FIRST: Duration = Duration::from_millis(50);
const BACKOFF_MOST: Duration = Duration::from_secs(1);

/// Calls again with backoff while the callee is away, for as long as the budget lasts. Only for idempotent calls.
///
/// # Errors
/// What the last call said.
pub async fn retry<T, F, C>(budget: Duration, mut call: C) -> Result<T, Status>
where
    C: FnMut() -> F,
    F: Future<Output = Result<Response<T>, Status>>,
{
    let end = Instant::now() + budget;
    let mut backoff = BACKOFF_FIRST;
    loop {
        match call().await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status) => {
                let transient = ServiceError::from_status(&status).code == ErrorCode::Unavailable;
                if !transient || Instant::now() + backoff >= end {
                    return Err(status);
                }
                tracing::debug!(code = ?status.code(), "call failed, trying again");
            }
        }
        tokio::time::sleep(backoff).await;
        backoff = (backoff * 2).min(BACKOFF_MOST);
    }
}
