//! Places an order: a saga keyed by the order's id (architecture, "Place an order").

use std::time::Duration;

use callers::Caller;
use kit::{
    ErrorCode, InternalError, ServiceError,
    grpc::deadline,
    idempotency::{self, IdempotencyState, Key},
};
use prost::Message;
use proto::ordering::v1 as pb;
use types::ConsumerId;

use crate::{
    Ordering,
    db::{
        leases,
        orders::{self, Row},
        steps::{self, Beginning},
    },
    ops::{
        answer::Answer,
        carry_on, confirm,
        gather::{self, Gathered},
        prepare::prepare,
        price::PriceError,
        read,
    },
};

/// What keys are used for here.
pub const OPERATION: &str = "place_order";
const LONGEST_KEY: usize = 200;
/// How often somebody else's work is looked at.
const POLL: Duration = Duration::from_millis(50);

/// Why an order was not placed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The cart has no price.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// A rule says no: something sold out, the price or the promise moved, the payment was declined, …
    #[error(transparent)]
    Refused(ServiceError),
    /// Something broke. What was begun is closed by recovery; the same key tells what became of it.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(PlaceError);

impl From<PlaceError> for ServiceError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Price(error) => error.into(),
            PlaceError::Refused(refusal) => refusal,
            PlaceError::Internal(fault) => fault.into(),
        }
    }
}

/// A refusal of the order.
///
/// # Errors
/// Always.
pub fn refused<T>(code: ErrorCode, reason: &'static str, message: &'static str) -> Result<T, PlaceError> {
    Err(PlaceError::Refused(ServiceError::new(code, reason, message)))
}

/// Places the order that a consumer has confirmed. Idempotent per consumer and key: however often and wherever it is
/// asked, there is one order and one answer. An order that waits for the consumer's authentication is carried on.
///
/// # Errors
/// [`PlaceError`]; nothing is held for an order that was not placed.
pub async fn place(
    cx: &Ordering,
    caller: &Caller,
    consumer: ConsumerId,
    request: pb::PlaceOrderRequest,
) -> Result<pb::Order, PlaceError> {
    if request.idempotency_key.is_empty() || request.idempotency_key.chars().count() > LONGEST_KEY {
        return refused(
            ErrorCode::InvalidRequest,
            "IDEMPOTENCY_KEY_MISSING",
            "An idempotency key of up to 200 characters is needed.",
        );
    }
    let hash = hash(&request);
    let scope = consumer.to_string();
    let key = Key {
        scope: &scope,
        operation: OPERATION,
        key: &request.idempotency_key,
    };
    match earlier(cx, key, &hash).await? {
        IdempotencyState::None => {}
        IdempotencyState::Mismatch => return mismatch(),
        IdempotencyState::Finished(bytes) => return answered(Answer::decode(&bytes)?),
        IdempotencyState::Running => return follow(cx, consumer, key, &hash).await,
    }
    let row = match prepare(cx, caller, consumer, &request).await {
        Ok(row) => row,
        Err(error) => {
            // An equal call that began meanwhile may have taken what is missing here: its answer is the one.
            return match earlier(cx, key, &hash).await? {
                IdempotencyState::None => Err(error),
                _ => follow(cx, consumer, key, &hash).await,
            };
        }
    };
    if !begin(cx, key, &hash, &row).await? {
        return follow(cx, consumer, key, &hash).await;
    }
    kit::fault_point::reach("place.begun");
    to_the_end(cx, |own| async move { run(&own, row).await }).await
}

/// Works on a task of its own, for as long as a lease lasts: a caller who goes away does not stop it half-way, and
/// shut-down waits for it.
///
/// # Errors
/// Those of the work.
pub async fn to_the_end<T, F>(cx: &Ordering, work: impl FnOnce(Ordering) -> F) -> Result<T, PlaceError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, PlaceError>> + Send + 'static,
{
    let work = deadline::within(cx.rules.saga(), work(cx.clone()));
    match cx.process.spawn(work).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(InternalError::broken(panic).into()),
    }
}

/// What an earlier call under this key left; keeps no connection while others are asked.
async fn earlier(cx: &Ordering, key: Key<'_>, hash: &[u8]) -> Result<IdempotencyState, PlaceError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(idempotency::find(&mut conn, key, hash).await?)
}

/// The hash of everything that was asked, but for the key.
fn hash(request: &pb::PlaceOrderRequest) -> Vec<u8> {
    let asked = pb::PlaceOrderRequest {
        idempotency_key: String::new(),
        ..request.clone()
    };
    idempotency::hash(&asked.encode_to_vec())
}

fn mismatch<T>() -> Result<T, PlaceError> {
    refused(
        ErrorCode::Conflict,
        "IDEMPOTENCY_KEY_REUSED",
        "This key was used for another order.",
    )
}

/// What an answer says.
///
/// # Errors
/// [`PlaceError::Refused`].
pub fn answered(answer: Answer) -> Result<pb::Order, PlaceError> {
    match answer {
        Answer::Placed(order) => Ok(*order),
        Answer::Refused(refusal) => Err(PlaceError::Refused(refusal)),
    }
}

/// Waits for whoever works under this key, until the caller's deadline.
async fn follow(
    cx: &Ordering,
    consumer: ConsumerId,
    key: Key<'_>,
    hash: &[u8],
) -> Result<pb::Order, PlaceError> {
    let patience = deadline::time_remaining().unwrap_or(deadline::DEFAULT_TIMEOUT);
    let end = tokio::time::Instant::now() + patience;
    loop {
        let mut conn = cx.pool.acquire().await?;
        match idempotency::find(&mut conn, key, hash).await? {
            IdempotencyState::Finished(bytes) => return answered(Answer::decode(&bytes)?),
            IdempotencyState::Mismatch => return mismatch(),
            IdempotencyState::Running | IdempotencyState::None => {}
        }
        let begun = orders::find_by_key(&mut conn, consumer, key.key).await?;
        drop(conn);
        if let Some(row) = begun.filter(|row| !row.client_secret.is_empty())
            && let Some(order) = carry_on::carry_on(cx, row.order_id()).await?
        {
            return Ok(order);
        }
        if tokio::time::Instant::now() + POLL >= end {
            return Err(PlaceError::Refused(ServiceError::unavailable()));
        }
        tokio::time::sleep(POLL).await;
    }
}

/// The key and the order, in one statement. From here on there is a row to recover. False: somebody has the key.
async fn begin(cx: &Ordering, key: Key<'_>, hash: &[u8], row: &Row) -> Result<bool, PlaceError> {
    let beginning = Beginning {
        key,
        request_hash: hash,
        lease_until: row.created_at.to_jiff() + cx.rules.saga(),
    };
    let mut conn = cx.pool.acquire().await?;
    match steps::begin(&mut conn, row, beginning).await {
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("orders_cart_key") => refused(
            ErrorCode::Conflict,
            "CART_ORDERED",
            "This cart was ordered already. Have a look at your orders.",
        ),
        // Asked long ago: the answer was forgotten, the order was not. One key never begins two.
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("orders_idempotency_key") => {
            mismatch()
        }
        outcome => Ok(outcome?),
    }
}

/// The saga, once there is a row: gather what the order needs, then one statement either way.
async fn run(cx: &Ordering, row: Row) -> Result<pb::Order, PlaceError> {
    tracing::Span::current().record("aggregate_id", row.order_id().to_string());
    match gather::gather(cx, &row).await {
        Ok(Gathered::Everything(row)) => {
            kit::fault_point::reach("place.gathered");
            confirm::confirm(cx, &row).await
        }
        Ok(Gathered::AwaitsAction { row, client_secret }) => await_action(cx, &row, &client_secret).await,
        Err(error) => confirm::give_up(cx, &row, error).await,
    }
}

/// Leaves the order to the consumer's authentication. An answer, not a failure.
///
/// # Errors
/// [`PlaceError::Refused`] as unavailable where somebody else took the order over: the key tells what became of it.
pub async fn await_action(cx: &Ordering, row: &Row, client_secret: &str) -> Result<pb::Order, PlaceError> {
    let until = row.created_at.to_jiff() + Duration::from_secs(cx.rules.order_authentication_seconds);
    let mut conn = cx.pool.acquire().await?;
    if !leases::await_action(&mut conn, row, client_secret, until).await? {
        return Err(PlaceError::Refused(ServiceError::unavailable()));
    }
    let row = orders::find(&mut conn, row.order_id())
        .await?
        .ok_or_else(|| InternalError::broken("an order vanished"))?;
    Ok(read::with_history(&mut conn, row).await?)
}
