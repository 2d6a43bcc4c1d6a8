use jiff::Timestamp;
use kit::{InternalError, outbox};
use sqlx::PgConnection;

use super::{PurchaseError, error, removed_buyer::anonymize_if_removed};
use crate::{
    GiftCards, convert,
    db::{auto_reload, purchases},
    domain::{
        charge::ClientSecret,
        purchase::{Failure, Purchase, PurchaseState, Tender},
    },
};

/// Reason of payments for a method that was removed.
const PAYMENT_METHOD_UNKNOWN: &str = "PAYMENT_METHOD_UNKNOWN";

/// Fails a purchase that was not paid. The response for its key is the failure.
///
/// # Errors
/// Unavailable if another task took over the purchase.
pub(super) async fn fail(
    cx: &GiftCards,
    purchase: Purchase,
    failure: Failure,
) -> Result<Purchase, PurchaseError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let failed = fail_in(cx, &mut tx, purchase, failure, cx.clock.now())
        .await?
        .ok_or_else(error::taken_over)?;
    tx.commit().await?;
    Ok(failed)
}

/// Fails a purchase in the caller's transaction. Returns `None`, and writes nothing, if another task changed it.
pub(in crate::ops) async fn fail_in(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: Purchase,
    failure: Failure,
    now: Timestamp,
) -> Result<Option<Purchase>, InternalError> {
    let failed = PurchaseState::Failed;
    if purchases::advance(conn, &purchase, failed, Some(&failure), now)
        .await?
        .is_none()
    {
        return Ok(None);
    }
    let is_removed = anonymize_if_removed(conn, purchase.consumer_id, now).await?;
    if !is_removed && purchase.is_automatic {
        stop_auto_reload(cx, conn, &purchase, &failure, now).await?;
    }
    tracing::info!(purchase_id = %purchase.id, reason = %failure.reason, "purchase failed");
    Ok(Some(Purchase {
        state: failed,
        client_secret: ClientSecret::default(),
        failure: Some(failure),
        ..purchase
    }))
}

/// Pauses the rule of an automatic reload that failed. Turns it off if its payment method was removed: each reload would fail.
/// Publishes nothing if the consumer has turned the rule off or chosen another method.
async fn stop_auto_reload(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: &Purchase,
    failure: &Failure,
    now: Timestamp,
) -> Result<(), InternalError> {
    let (consumer_id, method_id) = (purchase.consumer_id, &purchase.payment_method_id);
    let until = now + cx.rules.auto_reload_freeze();
    let is_off = failure.reason == PAYMENT_METHOD_UNKNOWN
        && auto_reload::turn_off(conn, consumer_id, method_id).await?;
    let paused_until = if is_off {
        None
    } else {
        auto_reload::pause(conn, consumer_id, method_id, until, now).await?
    };
    if is_off || paused_until.is_some() {
        let event = convert::auto_reload_failed(purchase, failure, paused_until, now);
        outbox::append(conn, event).await?;
    }
    Ok(())
}

/// A conflict, because the client has to create a new key: with 503 it would retry the used one. The outcome of the payment is unknown:
/// what was charged, or a bank debit that settles later, is refunded.
pub(in crate::ops) fn not_completed(tender: Tender) -> Failure {
    let message = match tender {
        Tender::Bank => {
            "We couldn't complete your purchase. If your bank account was debited, we'll refund it; please try again."
        }
        Tender::Card | Tender::ApplePay | Tender::GooglePay => {
            "We couldn't complete your purchase. If you were charged, we'll refund it; please try again."
        }
    };
    Failure::conflict("PURCHASE_NOT_COMPLETED", message)
}

pub(in crate::ops) fn authentication_expired() -> Failure {
    Failure::conflict(
        "AUTHENTICATION_EXPIRED",
        "The payment wasn't confirmed in time. You weren't charged.",
    )
}
