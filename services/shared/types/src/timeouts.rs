//! Timeouts of the calls that place an order, from the innermost to the outermost. Each is longer than the one before, so that
//! a caller never abandons a call that can still succeed. The web app waits 30 seconds.

use std::time::Duration;

/// Maximum timeout of one call to the payment provider.
pub const MAX_PROVIDER_TIMEOUT: Duration = Duration::from_millis(MAX_PROVIDER_TIMEOUT_MS.unsigned_abs());
pub const MAX_PROVIDER_TIMEOUT_MS: i64 = 8_000;

/// Time that payments takes for `AuthorizeCharge` besides the call to the provider.
pub const AUTHORIZE_CHARGE_OVERHEAD: Duration = Duration::from_secs(1);

/// Timeout of a call of `AuthorizeCharge`.
pub const AUTHORIZE_CHARGE_TIMEOUT: Duration = Duration::from_secs(10);

/// Default lease of the saga that places an order, within which all its calls end.
pub const SAGA_LEASE: Duration = Duration::from_secs(15);

/// Maximum time of the checks before the saga, which call other services.
pub const PLACE_ORDER_CHECKS_TIMEOUT: Duration = Duration::from_millis(4_500);

/// Timeout of a call of `PlaceOrder`: the saga, and the checks before it.
pub const PLACE_ORDER_TIMEOUT: Duration = Duration::from_secs(20);
