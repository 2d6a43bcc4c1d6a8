//! Looks at charges whose outcome stays open, and at money that has been held for long: a webhook may have been lost, or an
//! answer of the provider.

use std::time::Duration;

use crate::Payments;
use crate::db::charges;
use crate::ops::refresh::refresh;

/// How long an outcome may stay open before we ask of our own accord.
const PAUSE: Duration = Duration::from_secs(120);
const EVERY: Duration = Duration::from_secs(30);
const AT_ONCE: i64 = 50;

/// Runs until the process is told to stop.
pub async fn run(cx: Payments) {
    while cx.process.sleep(EVERY).await {
        if let Err(error) = once(&cx).await {
            tracing::warn!(%error, "open charges could not be looked at");
        }
    }
}

/// Looks at the charges that are due. Returns how many there were.
///
/// # Errors
/// The database's.
pub async fn once(cx: &Payments) -> Result<usize, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let orders = charges::claim_looks(&mut conn, cx.clock.now(), PAUSE, AT_ONCE).await?;
    drop(conn);
    for order in &orders {
        if let Err(error) = refresh(cx, *order).await {
            tracing::warn!(order_id = %order, %error, "an open charge could not be looked at");
        }
    }
    Ok(orders.len())
}
