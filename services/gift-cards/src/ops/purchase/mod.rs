//! Buys stored value: a saga keyed by the purchase id.
//!
//! `begin` writes the purchase, `charge` pays it, and `complete` issues the value or `fail` ends it. `resume` continues a
//! purchase that waited for the consumer to authenticate the payment. `apply_charge_event` completes or claws back a
//! purchase when its bank debit settles or is returned.

pub(crate) mod apply_charge_event;
mod begin;
mod charge;
pub(super) mod claw_back;
mod complete;
mod error;
pub(super) mod fail;
mod limits;
mod removed_buyer;
mod resume;
mod wait_for_authentication;
mod wait_for_settlement;

use std::time::Duration;

use callers::Caller;
use kit::{InternalError, grpc::deadline};
use tokio::time::Instant;
use types::limits::is_idempotency_key;

use crate::{
    GiftCards,
    db::purchases,
    domain::{
        auto_reload::is_reserved_key,
        purchase::{Payment, PaymentSource, Purchase, PurchaseKind, PurchaseState, Tender},
        wallet::Balance,
    },
    ops::wallet::find_balance,
};

pub use error::PurchaseError;
pub(super) use error::{balance_unknown, deal_not_available};
pub(crate) use limits::check_amount;

/// Interval for polling a request that runs under the same key.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A purchase as its consumer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseSnapshot {
    pub purchase: Purchase,
    /// The balance that received the value, or will receive it, if it is in the consumer's wallet.
    pub balance: Option<Balance>,
}

/// Returns the stored response for this key, or `None` if the key is new. Waits while a request with the same key runs, and
/// checks the payment if the consumer had to authenticate it.
///
/// # Errors
/// Why the purchase failed, `IDEMPOTENCY_KEY_REUSED` if the key was used for another request, `IDEMPOTENCY_KEY_INVALID` also for the
/// key of an automatic reload.
pub(super) async fn find_response(
    cx: &GiftCards,
    payment: &Payment,
    kind: PurchaseKind,
) -> Result<Option<PurchaseSnapshot>, PurchaseError> {
    if !is_idempotency_key(&payment.idempotency_key) {
        return Err(error::invalid_key());
    }
    if is_reserved_key(&payment.idempotency_key) {
        return Err(error::reserved_key());
    }
    let mut conn = cx.pool.acquire().await?;
    let existing =
        purchases::find_by_key(&mut conn, payment.consumer_id, kind, &payment.idempotency_key).await?;
    drop(conn);
    match existing {
        Some(purchase) if purchase.request_hash != payment.request_hash => Err(error::key_reused()),
        Some(purchase) => wait_for_response(cx, purchase).await.map(Some),
        None => Ok(None),
    }
}

/// Returns how a payment is made.
///
/// # Errors
/// `FAILED_ACH_PAYMENTS` if the consumer owes a returned payment, which payments checks again for the charge;
/// `PAYMENT_METHOD_UNKNOWN` if the saved method does not belong to the caller, or is of another kind.
pub(super) async fn find_tender(
    cx: &GiftCards,
    caller: &Caller,
    payment: &Payment,
) -> Result<Tender, PurchaseError> {
    if cx.clients.payments.has_debts(payment.consumer_id).await? {
        return Err(error::failed_payments());
    }
    match &payment.source {
        PaymentSource::Wallet { tender, .. } => Ok(*tender),
        PaymentSource::Saved { payment_method_id } => cx
            .clients
            .payments
            .find_payment_method(caller, payment_method_id)
            .await?
            .map(|method| method.tender)
            .filter(|tender| payment.saved_method_kind.is_none_or(|kind| kind == *tender))
            .ok_or_else(error::payment_method_unknown),
    }
}

/// Runs the saga of a new purchase on a tracked task, so that a canceled request does not abort it and shutdown waits for it.
///
/// # Errors
/// Why the purchase failed. The consumer is not charged then.
pub(super) async fn run(
    cx: &GiftCards,
    purchase: Purchase,
    source: PaymentSource,
) -> Result<PurchaseSnapshot, PurchaseError> {
    let purchase = spawn_to_completion(cx, |cx| async move {
        match begin::begin(&cx, &purchase).await? {
            Some(existing) => Ok(Err(existing)),
            None => {
                kit::fault_point::reach("purchase.begun");
                charge::charge(&cx, purchase, &source).await.map(Ok)
            }
        }
    })
    .await?;
    match purchase {
        Ok(purchase) => respond(cx, purchase).await,
        Err(existing) => wait_for_response(cx, existing).await,
    }
}

/// Spawns a part of the saga. Its calls must end before the lease expires.
async fn spawn_to_completion<T, F>(
    cx: &GiftCards,
    saga: impl FnOnce(GiftCards) -> F,
) -> Result<T, PurchaseError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, PurchaseError>> + Send + 'static,
{
    let saga = deadline::within(cx.rules.saga_lease(), saga(cx.clone()));
    match cx.process.spawn(saga).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(InternalError::invariant_violated(panic).into()),
    }
}

/// Waits until the request that began the purchase has a response, or the caller's deadline has passed. Checks the payment
/// if the purchase waits for the consumer's authentication.
async fn wait_for_response(cx: &GiftCards, purchase: Purchase) -> Result<PurchaseSnapshot, PurchaseError> {
    let timeout = deadline::time_remaining().unwrap_or(deadline::DEFAULT_TIMEOUT);
    let wait_until = Instant::now() + timeout;
    let mut purchase = purchase;
    loop {
        match purchase.state {
            PurchaseState::Pending => {}
            PurchaseState::RequiresAction => {
                if let Some(resumed) = resume::resume(cx, purchase.id).await? {
                    return respond(cx, resumed).await;
                }
            }
            _ => return respond(cx, purchase).await,
        }
        if Instant::now() + POLL_INTERVAL >= wait_until {
            return Err(error::taken_over());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
        let mut conn = cx.pool.acquire().await?;
        purchase = purchases::find(&mut conn, purchase.id)
            .await?
            .ok_or_else(|| InternalError::invariant_violated("a purchase was deleted"))?;
    }
}

/// Returns the response for a purchase that no task works on.
async fn respond(cx: &GiftCards, purchase: Purchase) -> Result<PurchaseSnapshot, PurchaseError> {
    if let Some(failure) = purchase.failure {
        return Err(PurchaseError::Failed(failure));
    }
    let mut conn = cx.pool.acquire().await?;
    let balance = match purchase.balance_id {
        Some(balance_id) => find_balance(&mut conn, purchase.consumer_id, balance_id).await?,
        None => None,
    };
    Ok(PurchaseSnapshot { purchase, balance })
}
