//! Gathers what an order needs: the discount, the minutes, the stored value, and last the card. Each step is idempotent
//! by the order's id, so that it can be asked again after an answer that was lost.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::{ErrorCode, InternalError, ServiceError, grpc::retry};
use proto::{
    giftcards::v1::HoldValueRequest,
    payments::v1::{AuthorizeChargeRequest, Charge, ChargeState},
    rewards::v1::ClaimDiscountRequest,
    stores::v1::ReserveCapacityRequest,
};
use tonic::Status;

use crate::{Ordering, convert, db::orders::Row};

/// How long one step is asked again while its service is away.
const BUDGET: Duration = Duration::from_secs(4);

/// What was found.
#[derive(Debug)]
pub enum Gathered {
    /// All of it; the order with its promise.
    Everything(Row),
    /// All but the consumer's authentication.
    AwaitsAction {
        /// The order with its promise.
        row: Row,
        /// For the page.
        client_secret: String,
    },
}

/// Why an order cannot have what it needs.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// Somebody said no.
    #[error(transparent)]
    Refused(#[from] ServiceError),
    /// Nobody knows: what may be held has to be closed.
    #[error(transparent)]
    Unknown(InternalError),
}

impl From<Status> for GatherError {
    fn from(status: Status) -> Self {
        let refusal = ServiceError::from_status(&status);
        match refusal.code {
            ErrorCode::Unavailable
            | ErrorCode::Internal
            | ErrorCode::Unauthenticated
            | ErrorCode::RateLimited => Self::Unknown(status.into()),
            _ => Self::Refused(refusal),
        }
    }
}

impl From<sqlx::Error> for GatherError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unknown(error.into())
    }
}

/// Gathers everything, the card last.
///
/// # Errors
/// [`GatherError`].
pub async fn gather(cx: &Ordering, row: &Row) -> Result<Gathered, GatherError> {
    claim_discount(cx, row).await?;
    kit::fault_point::reach("place.claimed");
    let row = reserve_capacity(cx, row).await?;
    kit::fault_point::reach("place.reserved");
    if row.total == 0 {
        return Ok(Gathered::Everything(row));
    }
    if row.tender == "joepass" {
        hold_value(cx, &row).await?;
        kit::fault_point::reach("place.held");
        return Ok(Gathered::Everything(row));
    }
    let charge = authorize_charge(cx, &row).await?;
    kit::fault_point::reach("place.authorized");
    judge(charge, row)
}

/// What the state of a charge means for its order.
///
/// # Errors
/// [`GatherError::Refused`] where there will be no money, [`GatherError::Unknown`] where nobody knows yet.
pub fn judge(charge: Charge, row: Row) -> Result<Gathered, GatherError> {
    match charge.state() {
        ChargeState::Authorized | ChargeState::Processing | ChargeState::Succeeded => {
            Ok(Gathered::Everything(row))
        }
        ChargeState::RequiresAction => Ok(Gathered::AwaitsAction {
            row,
            client_secret: charge.client_secret,
        }),
        ChargeState::Declined => Err(ServiceError::new(
            ErrorCode::RuleViolation,
            charge.decline_reason,
            charge.decline_message,
        )
        .with_field("paymentMethod")
        .into()),
        ChargeState::Closed | ChargeState::Returned | ChargeState::Disputed | ChargeState::Refunded => {
            Err(ServiceError::new(
                ErrorCode::Conflict,
                "CHARGE_CLOSED",
                "This payment was closed. Nothing was charged.",
            )
            .into())
        }
        ChargeState::Pending | ChargeState::Unspecified => Err(GatherError::Unknown(InternalError::Call(
            Status::unavailable("the provider has not answered yet"),
        ))),
    }
}

async fn claim_discount(cx: &Ordering, row: &Row) -> Result<(), GatherError> {
    if row.promo_code.is_empty() {
        return Ok(());
    }
    let request = ClaimDiscountRequest {
        order_id: row.order_id().to_string(),
        consumer_id: row.consumer().to_string(),
        code: row.promo_code.clone(),
        subtotal: Some(convert::cents(row.subtotal)),
        store_id: row.store().to_string(),
    };
    let discount = retry(BUDGET, || {
        let (mut rewards, request) = (cx.clients.rewards(), request.clone());
        async move { rewards.claim_discount(request).await }
    })
    .await?;
    if !discount.reason.is_empty() {
        return Err(
            ServiceError::new(ErrorCode::RuleViolation, discount.reason, discount.message)
                .with_field("cart.promoCode")
                .into(),
        );
    }
    let claimed = discount.amount.map_or(0, |amount| amount.minor_units);
    if claimed != row.discount {
        return Err(ServiceError::new(
            ErrorCode::Conflict,
            "PRICE_CHANGED",
            "The discount has changed. Please look at the new total.",
        )
        .into());
    }
    Ok(())
}

/// Reserves the minutes. The promise that comes of them is written with the order's next step: until then it is the saga's
/// alone, and recovery, which may come between, needs none.
async fn reserve_capacity(cx: &Ordering, row: &Row) -> Result<Row, GatherError> {
    let request = ReserveCapacityRequest {
        order_id: row.order_id().to_string(),
        store_id: row.store().to_string(),
        make_seconds: u32::try_from(row.make_seconds).unwrap_or_default(),
        pickup_at: convert::instant(row.pickup_at.map(|at| at.to_jiff())),
        not_after: row.not_after.to_jiff().to_string(),
    };
    let reservation = retry(BUDGET, || {
        let (mut stores, request) = (cx.clients.stores(), request.clone());
        async move { stores.reserve_capacity(request).await }
    })
    .await?;
    let read = |text: &str| -> Result<_, GatherError> {
        text.parse::<Timestamp>()
            .map(|at| convert::as_kept(at).to_sqlx())
            .map_err(|_| GatherError::Unknown(InternalError::broken("stores reserved no time")))
    };
    Ok(Row {
        ready_at: read(&reservation.ready_at)?,
        start_at: read(&reservation.start_at)?,
        ..row.clone()
    })
}

async fn hold_value(cx: &Ordering, row: &Row) -> Result<(), GatherError> {
    let request = HoldValueRequest {
        order_id: row.order_id().to_string(),
        consumer_id: row.consumer().to_string(),
        balance_id: row.payment_method_id.clone(),
        amount: Some(convert::cents(row.total)),
        title: format!("Order at {}", row.store_name),
    };
    retry(BUDGET, || {
        let (mut gift_cards, request) = (cx.clients.gift_cards(), request.clone());
        async move { gift_cards.hold_value(request).await }
    })
    .await?;
    Ok(())
}

async fn authorize_charge(cx: &Ordering, row: &Row) -> Result<Charge, GatherError> {
    let request = AuthorizeChargeRequest {
        order_id: row.order_id().to_string(),
        consumer_id: row.consumer().to_string(),
        payment_method_id: row.payment_method_id.clone(),
        amount: Some(convert::cents(row.total)),
    };
    let charge = retry(BUDGET, || {
        let (mut payments, request) = (cx.clients.payments(), request.clone());
        async move { payments.authorize_charge(request).await }
    })
    .await?;
    Ok(charge)
}
