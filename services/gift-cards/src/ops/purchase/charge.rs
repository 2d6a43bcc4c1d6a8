use kit::{ErrorCode, InternalError, ServiceError};

use super::{
    PurchaseError, complete, error, fail, wait_for_authentication::wait_for_authentication,
    wait_for_settlement::wait_for_settlement,
};
use crate::{
    GiftCards, convert,
    domain::{
        charge::Charge,
        purchase::{Failure, PaymentSource, Purchase},
    },
};

/// Charges a purchase, and ends it by the outcome.
///
/// # Errors
/// Unavailable if another task took over the purchase, or recovery has to close it.
pub(super) async fn charge(
    cx: &GiftCards,
    purchase: Purchase,
    source: &PaymentSource,
) -> Result<Purchase, PurchaseError> {
    match cx.clients.payments.authorize_charge(&purchase, source).await {
        Ok(charge) => {
            kit::fault_point::reach("purchase.charged");
            apply_charge(cx, purchase, charge).await
        }
        Err(error) => match rejection(&error) {
            Some(rejection) => fail::fail(cx, purchase, convert::failure_from_error(rejection)).await,
            None => close(cx, purchase, &error).await,
        },
    }
}

/// Ends a purchase, or lets it wait, by the state of its charge.
pub(super) async fn apply_charge(
    cx: &GiftCards,
    purchase: Purchase,
    charge: Charge,
) -> Result<Purchase, PurchaseError> {
    match charge {
        Charge::Succeeded => complete::complete(cx, purchase).await,
        Charge::Processing => wait_for_settlement(cx, purchase).await,
        Charge::RequiresAction { client_secret } => {
            wait_for_authentication(cx, purchase, client_secret).await
        }
        Charge::Declined { reason, message } => {
            let failure = Failure::declined(reason, message);
            fail::fail(cx, purchase, failure).await
        }
        Charge::Ended => fail::fail(cx, purchase, charge_ended()).await,
        Charge::Pending => {
            let error = InternalError::invariant_violated("the payment provider has not reported an outcome");
            close(cx, purchase, &error).await
        }
    }
}

fn charge_ended() -> Failure {
    Failure::conflict("CHARGE_CLOSED", "This payment was canceled. You weren't charged.")
}

/// Closes the charge of a purchase with an unknown payment outcome, and fails the purchase. If that is not possible now,
/// recovery does it.
async fn close(cx: &GiftCards, purchase: Purchase, error: &InternalError) -> Result<Purchase, PurchaseError> {
    tracing::warn!(purchase_id = %purchase.id, %error, "outcome unknown; closing the charge");
    if let Err(error) = cx.clients.payments.close_charge(&purchase).await {
        tracing::warn!(purchase_id = %purchase.id, %error, "charge not closed; recovery will retry");
        return Err(error::taken_over());
    }
    let failure = fail::not_completed(purchase.tender);
    fail::fail(cx, purchase, failure).await
}

/// Returns the error if payments rejected the charge, and `None` if the charge may exist.
fn rejection(error: &InternalError) -> Option<ServiceError> {
    let InternalError::Call(status) = error else {
        return None;
    };
    let rejection = ServiceError::from_status(status);
    match rejection.code {
        ErrorCode::Unavailable
        | ErrorCode::Internal
        | ErrorCode::Unauthenticated
        | ErrorCode::RateLimited => None,
        _ => Some(rejection),
    }
}
