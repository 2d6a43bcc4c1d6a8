//! Applies an event about the charge of a purchase.

use jiff::Timestamp;
use kit::{InternalError, outbox};
use sqlx::PgConnection;
use types::PurchaseId;

use super::{claw_back::claw_back, complete::complete_in, fail::fail_in};
use crate::{
    GiftCards, convert,
    db::purchases,
    domain::purchase::{ChargeOutcome, Failure, Purchase, PurchaseState},
};

/// Completes, fails or takes back a purchase. Events can arrive repeatedly and in any order.
///
/// While a task works on the purchase, the event is only recorded: the task reads the charge itself and applies the recorded event
/// when it releases the lease, and recovery closes the charge, so that payments refunds it.
pub(crate) async fn apply_charge_event(
    cx: &GiftCards,
    conn: &mut PgConnection,
    id: PurchaseId,
    (outcome, decline): (ChargeOutcome, Option<Failure>),
    now: Timestamp,
) -> Result<(), InternalError> {
    match purchases::record_charge_outcome(conn, id, outcome, decline.as_ref()).await? {
        Some(purchase) => apply_outcome(cx, conn, purchase, outcome, now).await,
        None => Ok(()),
    }
}

/// Applies the outcome to a purchase that the caller has locked.
pub(super) async fn apply_outcome(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: Purchase,
    outcome: ChargeOutcome,
    now: Timestamp,
) -> Result<(), InternalError> {
    use ChargeOutcome::{Declined, Returned, Settled};
    use PurchaseState::{Completed, Processing, RequiresAction};
    match (purchase.state, outcome) {
        (Processing | RequiresAction, Settled) => {
            let confirmation = purchase
                .needs_confirmation(now)
                .then(|| convert::purchase_confirmed(&purchase, now));
            let completed = complete_in(cx, conn, purchase, now).await?;
            if let (Some(event), Some(_)) = (confirmation, completed) {
                outbox::append(conn, event).await?;
            }
        }
        (Processing | RequiresAction, Declined) => {
            let failure = purchases::find_decline(conn, purchase.id).await?;
            fail_in(cx, conn, purchase, failure.unwrap_or_else(declined), now).await?;
        }
        (Processing | RequiresAction | Completed, Returned) => {
            claw_back(cx, conn, purchase, now).await?;
        }
        _ => {}
    }
    Ok(())
}

/// For an event without a reason: of the previous release, or if the bank released the hold.
fn declined() -> Failure {
    Failure::conflict(
        "PAYMENT_DECLINED",
        "Your payment was declined. You weren't charged.",
    )
}
