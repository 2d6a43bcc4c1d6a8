//! Acquires the resources of an order: the discount, the capacity, the stored value and, last, the card authorization.
//! Each call is idempotent by order id.

use kit::{ErrorCode, InternalError, ServiceError};

use crate::{
    Ordering,
    domain::{
        charge::Charge,
        order::{Order, OrderRecord},
    },
};

/// Inputs that are not stored with the order, because only the request that places it uses them.
#[derive(Debug)]
pub(super) struct AcquireInput<'a> {
    /// The company of the store, whose promo codes apply.
    pub(super) company_id: &'a str,
    /// The payment method that Apple Pay or Google Pay created; empty for other tenders.
    pub(super) wallet_payment_method_id: &'a str,
}

/// The order with its reserved capacity, and whether the consumer has to act.
#[derive(Debug)]
pub(super) enum Outcome {
    /// All resources are held.
    Acquired(OrderRecord),
    /// The consumer has to authenticate the payment.
    RequiresAction {
        record: OrderRecord,
        client_secret: String,
    },
}

#[derive(Debug, thiserror::Error)]
pub(in crate::ops) enum AcquireError {
    /// A service rejected the order.
    #[error(transparent)]
    Rejected(#[from] ServiceError),
    /// The outcome of a call is unknown: a service may hold a resource, so all resources must be closed.
    #[error(transparent)]
    Unknown(InternalError),
}

impl From<InternalError> for AcquireError {
    fn from(error: InternalError) -> Self {
        let InternalError::Call(status) = &error else {
            return Self::Unknown(error);
        };
        let rejection = ServiceError::from_status(status);
        match rejection.code {
            ErrorCode::Unavailable
            | ErrorCode::Internal
            | ErrorCode::Unauthenticated
            | ErrorCode::RateLimited => Self::Unknown(error),
            _ => Self::Rejected(rejection),
        }
    }
}

/// Acquires all resources.
///
/// # Errors
/// [`AcquireError`]. Resources that were acquired before the error are still held.
pub(super) async fn acquire_resources(
    cx: &Ordering,
    record: &OrderRecord,
    input: &AcquireInput<'_>,
) -> Result<Outcome, AcquireError> {
    claim_discount(cx, &record.order, input.company_id).await?;
    kit::fault_point::reach("place.claimed");
    // Concurrently, because neither depends on the other. Both end before an error is returned, so that neither acquires anything
    // after the order was closed.
    let (reserved, held) = tokio::join!(reserve_capacity(cx, record), hold_value(cx, &record.order));
    let record = reserved?;
    held?;
    if !record.order.may_have_charge() {
        return Ok(Outcome::Acquired(record));
    }
    let charge = cx
        .clients
        .payments
        .authorize_charge(&record.order, input.wallet_payment_method_id)
        .await?;
    kit::fault_point::reach("place.authorized");
    charge_outcome(charge, record)
}

/// Maps the state of a charge to the outcome for its order.
///
/// # Errors
/// [`AcquireError::Rejected`] if the charge failed or was closed, [`AcquireError::Unknown`] while it has no outcome.
pub(super) fn charge_outcome(charge: Charge, record: OrderRecord) -> Result<Outcome, AcquireError> {
    match charge {
        Charge::Authorized | Charge::Processing | Charge::Succeeded => Ok(Outcome::Acquired(record)),
        Charge::RequiresAction { client_secret } => Ok(Outcome::RequiresAction {
            record,
            client_secret,
        }),
        Charge::Declined { reason, message } => {
            Err(ServiceError::new(ErrorCode::RuleViolation, reason, message)
                .with_field("paymentMethod")
                .into())
        }
        Charge::Closed | Charge::Returned | Charge::Disputed | Charge::Refunded => Err(ServiceError::new(
            ErrorCode::Conflict,
            "CHARGE_CLOSED",
            "This payment was canceled. You weren't charged.",
        )
        .into()),
        Charge::Pending => Err(AcquireError::Unknown(InternalError::invariant_violated(
            "the payment provider has not reported an outcome",
        ))),
    }
}

async fn claim_discount(cx: &Ordering, order: &Order, company_id: &str) -> Result<(), AcquireError> {
    if order.promo_code.is_empty() {
        return Ok(());
    }
    let discount = cx.clients.rewards.claim_discount(order, company_id).await?;
    if let Some(rejection) = discount.rejection {
        return Err(
            ServiceError::new(ErrorCode::RuleViolation, rejection.reason, rejection.message)
                .with_field("cart.promo.code")
                .into(),
        );
    }
    if discount.amount != order.totals.discount {
        return Err(ServiceError::new(
            ErrorCode::Conflict,
            "PRICE_CHANGED",
            "Your discount changed. Please check the new total.",
        )
        .into());
    }
    Ok(())
}

async fn hold_value(cx: &Ordering, order: &Order) -> Result<(), InternalError> {
    if order.may_have_hold() {
        cx.clients.gift_cards.hold_value(order).await?;
        kit::fault_point::reach("place.held");
    }
    Ok(())
}

/// Reserves capacity and sets the promised time. The next step writes the time. Recovery may take over before that, but
/// does not need it.
async fn reserve_capacity(cx: &Ordering, record: &OrderRecord) -> Result<OrderRecord, AcquireError> {
    let reservation = cx.clients.stores.reserve_capacity(record).await?;
    kit::fault_point::reach("place.reserved");
    Ok(OrderRecord {
        order: Order {
            ready_at: reservation.ready_at,
            start_at: reservation.start_at,
            ..record.order.clone()
        },
        placement: record.placement.clone(),
    })
}
