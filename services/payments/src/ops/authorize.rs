//! Authorises the amount of an order. Idempotent by order: one charge an order, ever.

use std::time::Duration;

use jiff::Timestamp;
use kit::grpc::deadline;
use sqlx::PgConnection;
use tokio::time::Instant;
use types::{ChargeId, ConsumerId, Money, OrderId, PaymentMethodId};

use super::customer;
use super::observe::observe;
use super::refresh::{self, Standing};
use crate::Payments;
use crate::db::customers::{self, Customer};
use crate::db::{charges, methods};
use crate::domain::charge::{Charge, State, Terms, Wanted};
use crate::domain::decline::{Decline, Reason};
use crate::provider::{Authorization, Gone, ProviderError, Snapshot};

/// How often a call that waits for another one's answer looks for it.
const LOOK_AGAIN: Duration = Duration::from_millis(60);

/// What is to be charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The order.
    pub order: OrderId,
    /// Who pays.
    pub consumer: ConsumerId,
    /// With what.
    pub method: PaymentMethodId,
    /// How much.
    pub amount: Money,
}

/// Why an order is not charged.
#[derive(Debug, thiserror::Error)]
pub enum AuthorizeError {
    /// The method is not the consumer's, or was deleted.
    #[error("no such payment method")]
    MethodUnknown,
    /// The order's charge was closed before: this call came late.
    #[error("the charge was closed")]
    Closed,
    /// The order was charged before, on other terms.
    #[error("the order was charged on other terms")]
    OtherTerms,
    /// The provider has not said yet.
    #[error("the outcome is not known yet")]
    Undecided,
    /// Nobody's refusal.
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(AuthorizeError);

impl From<AuthorizeError> for kit::ServiceError {
    fn from(error: AuthorizeError) -> Self {
        use kit::ErrorCode;
        match error {
            AuthorizeError::MethodUnknown => Self::new(
                ErrorCode::NotFound,
                "PAYMENT_METHOD_UNKNOWN",
                "This payment method does not exist any more. Choose another one.",
            )
            .with_field("paymentMethodId"),
            AuthorizeError::Closed => Self::new(
                ErrorCode::Conflict,
                "CHARGE_CLOSED",
                "This order was given up before it was paid.",
            ),
            AuthorizeError::OtherTerms => Self::new(
                ErrorCode::Conflict,
                "CHARGE_MISMATCH",
                "This order was already charged in another way.",
            ),
            AuthorizeError::Undecided => Self::unavailable(),
            AuthorizeError::Internal(fault) => fault.into(),
        }
    }
}

/// Charges an order: the row first, in a transaction of its own, so that from then on there is something to recover;
/// then the provider; then what it said. Equal calls at once ask the provider once and get equal answers. A decline
/// is an answer.
///
/// # Errors
/// [`AuthorizeError`].
pub async fn authorize(cx: &Payments, request: Request) -> Result<Standing, AuthorizeError> {
    let mut charge = begin(cx, request).await?;
    kit::fault_point::reach("charge.begun");
    let until = Instant::now()
        + deadline::time_remaining().map_or(cx.authorize_wait, |left| left.min(cx.authorize_wait));
    while charge.state == State::Pending && charge.is_open() {
        let mut conn = cx.pool.acquire().await?;
        let claim = charges::claim_attempt(&mut conn, charge.id, cx.clock.now(), cx.attempt_lease).await?;
        drop(conn);
        if let Some(before) = claim {
            return answer(cx, attempt_to_its_end(cx, charge, before, until).await?).await;
        }
        if Instant::now() > until {
            return Err(AuthorizeError::Undecided);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
        charge = read(cx, charge.id).await?;
    }
    answer(
        cx,
        Standing {
            charge,
            client_secret: None,
        },
    )
    .await
}

/// The order's charge: the one it has, or a new one.
async fn begin(cx: &Payments, request: Request) -> Result<Charge, AuthorizeError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    if let Some(charge) = charges::of_order(&mut tx, request.order).await? {
        return same(charge, request);
    }
    let unknown = AuthorizeError::MethodUnknown;
    let Some(method) = methods::find(&mut tx, request.consumer, request.method).await? else {
        return Err(unknown);
    };
    let Some(Customer {
        provider_id: Some(customer),
        removed: false,
    }) = customers::find(&mut tx, request.consumer).await?
    else {
        return Err(unknown);
    };
    let charge = Charge {
        id: ChargeId::new(now),
        order: request.order,
        terms: Some(Terms {
            consumer: Some(request.consumer),
            method: method.id,
            kind: method.description.kind,
            provider_customer: customer,
            provider_method: method.description.provider_id,
            amount: request.amount,
        }),
        provider_id: None,
        state: State::Pending,
        wanted: Wanted::Hold,
        version: 1,
    };
    if charges::insert(&mut tx, &charge, now).await? {
        tx.commit().await?;
        return Ok(charge);
    }
    let missing = || kit::InternalError::broken("an order has a charge and has none");
    same(
        charges::of_order(&mut tx, request.order)
            .await?
            .ok_or_else(missing)?,
        request,
    )
}

/// An earlier charge answers only the same request.
fn same(charge: Charge, request: Request) -> Result<Charge, AuthorizeError> {
    let Some(terms) = &charge.terms else {
        return Err(AuthorizeError::Closed);
    };
    // A removed consumer's charge no longer says whose it is.
    let same_consumer = terms.consumer.is_none_or(|consumer| consumer == request.consumer);
    if !same_consumer || (terms.method, terms.amount) != (request.method, request.amount) {
        return Err(AuthorizeError::OtherTerms);
    }
    Ok(charge)
}

/// Asks the provider on a tracked task: neither a caller that goes away nor its deadline stops it half-way.
async fn attempt_to_its_end(
    cx: &Payments,
    charge: Charge,
    before: i32,
    until: Instant,
) -> Result<Standing, AuthorizeError> {
    let worker = cx.clone();
    let attempt = cx
        .process
        .spawn(async move { attempt(&worker, charge, before).await });
    match tokio::time::timeout_at(until, attempt).await {
        Ok(Ok(standing)) => standing,
        Ok(Err(error)) => {
            Err(kit::InternalError::broken(format!("an attempt to authorise ended early: {error}")).into())
        }
        Err(_) => Err(AuthorizeError::Undecided),
    }
}

async fn attempt(cx: &Payments, charge: Charge, before: i32) -> Result<Standing, AuthorizeError> {
    let outcome = ask(cx, &charge, before).await;
    let mut tx = cx.pool.begin().await?;
    let standing = match outcome {
        Ok(snapshot) => {
            kit::fault_point::reach("charge.answered");
            let charge = observe(&mut tx, charge.id, &snapshot, cx.clock.now()).await?;
            Ok(Standing {
                charge,
                client_secret: snapshot.client_secret,
            })
        }
        Err(ProviderError::Refused { gone: Some(gone), .. }) => {
            Ok(without_method(&mut tx, &charge, gone, cx.clock.now()).await?)
        }
        // Whoever closed the charge was faster, and used up the key.
        Err(ProviderError::KeyUsed) => Err(AuthorizeError::Closed),
        Err(error) => Err(kit::InternalError::from(error).into()),
    };
    charges::end_attempt(&mut tx, charge.id).await?;
    tx.commit().await?;
    cx.effects_planned();
    standing
}

/// The provider no longer knows what was to pay: a decline, and not offered again.
async fn without_method(
    conn: &mut PgConnection,
    charge: &Charge,
    gone: Gone,
    now: Timestamp,
) -> Result<Standing, kit::InternalError> {
    if let Some(terms) = &charge.terms {
        tracing::warn!(charge_id = %charge.id, ?gone, "the payment provider does not know what was to pay");
        if let Some(consumer) = terms.consumer {
            let lost = (gone, terms.provider_customer.as_str());
            customer::take_off(conn, consumer, lost, terms.method, now).await?;
        }
    }
    let declined = Snapshot::without_object(State::Declined(Decline::new(Reason::MethodUnknown)));
    Ok(Standing {
        charge: observe(conn, charge.id, &declined, now).await?,
        client_secret: None,
    })
}

async fn ask(cx: &Payments, charge: &Charge, before: i32) -> Result<Snapshot, ProviderError> {
    let Some(terms) = charge.terms.clone() else {
        return Err(ProviderError::KeyUsed);
    };
    let authorization = Authorization {
        charge: charge.id,
        order: charge.order,
        terms,
    };
    // An earlier attempt whose answer was lost may have had its effect; only then is a look worth its time.
    if before > 0
        && let Some(found) = cx.provider.find(&authorization).await?
    {
        return Ok(found);
    }
    cx.provider.authorize(&authorization).await
}

/// What the caller is told.
async fn answer(cx: &Payments, standing: Standing) -> Result<Standing, AuthorizeError> {
    if !standing.charge.is_open() {
        return Err(AuthorizeError::Closed);
    }
    match standing.charge.state {
        State::Pending => Err(AuthorizeError::Undecided),
        // The secret is not kept: a repeated call gets it from the provider.
        State::RequiresAction if standing.client_secret.is_none() => {
            Ok(refresh::of_charge(cx, standing.charge).await?)
        }
        _ => Ok(standing),
    }
}

async fn read(cx: &Payments, id: ChargeId) -> Result<Charge, AuthorizeError> {
    let mut conn = cx.pool.acquire().await?;
    let missing = || kit::InternalError::broken(format!("{id} is not there"));
    Ok(charges::find(&mut conn, id).await?.ok_or_else(missing)?)
}
