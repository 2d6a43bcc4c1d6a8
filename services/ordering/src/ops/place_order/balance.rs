//! Checks that a balance belongs to the consumer.

use callers::Caller;
use kit::InternalError;
use types::ConsumerId;

use super::PlaceOrderError;
use crate::{Ordering, db::orders};

const JOEPASS_NAME: &str = "JoePass";

/// Returns the name of the balance. Every consumer has a JoePass balance, which needs no id. Gift-cards is not asked for one that
/// paid for a previous order. See `docs/decisions/0056-known-balances.md`.
///
/// # Errors
/// `PAYMENT_METHOD_UNKNOWN` for this field of the request if the consumer has no such balance.
pub(super) async fn find_balance_name(
    cx: &Ordering,
    caller: &Caller,
    consumer_id: ConsumerId,
    balance_id: &str,
    field: &'static str,
) -> Result<String, PlaceOrderError> {
    if balance_id.is_empty() || is_known_joepass(cx, consumer_id, balance_id).await? {
        return Ok(JOEPASS_NAME.to_owned());
    }
    let name = cx
        .clients
        .gift_cards
        .find_balance_name(caller, balance_id)
        .await?;
    name.ok_or_else(|| PlaceOrderError::payment_method_unknown(field))
}

async fn is_known_joepass(
    cx: &Ordering,
    consumer_id: ConsumerId,
    balance_id: &str,
) -> Result<bool, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(orders::has_balance(&mut conn, consumer_id, balance_id, JOEPASS_NAME).await?)
}
