//! Places an order: a saga keyed by the order id.
//!
//! `validate` prices the cart again, `begin` writes the order, `acquire` acquires its resources, and `confirm` places
//! it or `fail` releases everything. `resume` continues an order that waited for the consumer to authenticate the
//! payment; `abandon` ends it when the consumer cancels it.

pub(super) mod abandon;
mod acquire;
mod balance;
mod begin;
mod confirm;
mod debts;
mod error;
pub(super) mod fail;
mod metrics;
pub mod resume;
mod taken_over;
mod validate;

use std::time::Duration;

use callers::Caller;
use kit::{
    ErrorCode, InternalError, ServiceError,
    grpc::deadline,
    idempotency::{self, IdempotencyState, Key},
};
use tokio::time::Instant;
use types::{
    limits::{MAX_IDEMPOTENCY_KEY_CHARS, MIN_IDEMPOTENCY_KEY_CHARS, is_idempotency_key},
    timeouts::PLACE_ORDER_CHECKS_TIMEOUT,
};

use self::{
    acquire::{AcquireInput, Outcome},
    taken_over::taken_over,
    validate::ValidatedOrder,
};
use crate::{
    Ordering,
    convert::StoredResponse,
    db::{orders, steps::BeginOutcome},
    domain::{
        order::{OrderDetails, OrderRecord},
        place_order::PlaceOrder,
    },
};

pub use error::PlaceOrderError;
pub(super) use error::not_placed;

/// Interval for polling a request that runs under the same key.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Places the order that a consumer has confirmed. Idempotent per consumer and key: all calls with one key, on any replica,
/// get the same response, and there is one order. Resumes an order that waits for the consumer's authentication.
///
/// # Errors
/// [`PlaceOrderError`]. No resources are held for an order that was rejected.
pub async fn place_order(
    cx: &Ordering,
    caller: &Caller,
    command: PlaceOrder,
) -> Result<OrderDetails, PlaceOrderError> {
    if !is_idempotency_key(&command.idempotency_key) {
        return Err(invalid_key());
    }
    let key = Key {
        scope: &command.consumer_id.to_string(),
        operation: PlaceOrder::OPERATION,
        key: &command.idempotency_key,
    };
    // Most keys are new, so the key is looked up only if its insertion or the validation fails.
    let checks = Box::pin(validate::validate(cx, caller, &command));
    let order = match deadline::within_at_most(PLACE_ORDER_CHECKS_TIMEOUT, checks).await {
        Ok(order) => order,
        Err(error) => return reject(cx, key, &command, error).await,
    };
    let is_scheduled = order.record.order.is_scheduled;
    let saga_command = command.clone();
    let saga = spawn_to_completion(cx, |cx| async move { run(&cx, &saga_command, order).await });
    match saga.await? {
        SagaOutcome::Placed(order) => Ok(*order),
        SagaOutcome::KeyExists => wait_for_response(cx, key, &command).await,
        SagaOutcome::LimitReached => {
            reject(cx, key, &command, begin::too_many_active_orders(cx, is_scheduled)).await
        }
        SagaOutcome::CartOrdered => reject(cx, key, &command, begin::cart_ordered()).await,
        SagaOutcome::ConsumerRemoved => Err(PlaceOrderError::consumer_removed()),
    }
}

#[derive(Debug)]
enum SagaOutcome {
    /// The order was placed, or waits for the consumer's authentication.
    Placed(Box<OrderDetails>),
    /// Another request with this key began an order.
    KeyExists,
    /// The consumer has too many active orders.
    LimitReached,
    /// The cart has an order that has not failed and was neither canceled nor rejected.
    CartOrdered,
    ConsumerRemoved,
}

/// Runs the saga, starting with its first write.
async fn run(
    cx: &Ordering,
    command: &PlaceOrder,
    ValidatedOrder { record, company_id }: ValidatedOrder,
) -> Result<SagaOutcome, PlaceOrderError> {
    match begin::begin(cx, command, &record).await? {
        BeginOutcome::Begun => {}
        BeginOutcome::KeyExists => return Ok(SagaOutcome::KeyExists),
        BeginOutcome::LimitReached => return Ok(SagaOutcome::LimitReached),
        BeginOutcome::CartOrdered => return Ok(SagaOutcome::CartOrdered),
        BeginOutcome::ConsumerRemoved => return Ok(SagaOutcome::ConsumerRemoved),
    }
    kit::fault_point::reach("place.begun");
    let started = Instant::now();
    let input = AcquireInput {
        company_id: &company_id,
        wallet_payment_method_id: &command.wallet_payment_method_id,
    };
    let result = place(cx, record, &input).await;
    metrics::record_saga(started.elapsed(), &result);
    Ok(SagaOutcome::Placed(Box::new(result?)))
}

/// Runs the saga from the written order.
async fn place(
    cx: &Ordering,
    record: OrderRecord,
    input: &AcquireInput<'_>,
) -> Result<OrderDetails, PlaceOrderError> {
    tracing::Span::current().record("aggregate_id", tracing::field::display(record.order.id));
    match acquire::acquire_resources(cx, &record, input).await {
        Ok(Outcome::Acquired(record)) => {
            kit::fault_point::reach("place.acquired");
            confirm::confirm_order(cx, &record).await
        }
        Ok(Outcome::RequiresAction {
            record,
            client_secret,
        }) => resume::wait_for_authentication(cx, &record, &client_secret).await,
        Err(error) => fail::fail_order(cx, &record, error).await,
    }
}

/// Spawns the saga on a tracked task, so that a canceled request does not abort it and shutdown waits for it. Its calls
/// must end before the lease expires.
async fn spawn_to_completion<T, E, F>(cx: &Ordering, saga: impl FnOnce(Ordering) -> F) -> Result<T, E>
where
    T: Send + 'static,
    E: From<InternalError> + Send + 'static,
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    let saga = deadline::within(cx.rules.saga_lease(), saga(cx.clone()));
    match cx.process.spawn(saga).await {
        Ok(outcome) => outcome,
        Err(panic) => Err(InternalError::invariant_violated(panic).into()),
    }
}

/// Rejects a request before its order is written, unless another request with this key began an order: that order may
/// have taken the last capacity or used the promo code. A rejection by a rule is stored as the response of the key, so
/// that concurrent equal requests get the same response even if the price changes.
async fn reject(
    cx: &Ordering,
    key: Key<'_>,
    command: &PlaceOrder,
    error: PlaceOrderError,
) -> Result<OrderDetails, PlaceOrderError> {
    let rejection = ServiceError::from(error);
    let is_rejected = if matches!(rejection.code, ErrorCode::Conflict | ErrorCode::RuleViolation) {
        let response = StoredResponse::Rejected(rejection.clone()).encode();
        let mut tx = kit::postgres::begin(&cx.pool).await?;
        let is_new = idempotency::start(&mut tx, key, &command.request_hash).await?;
        if is_new {
            idempotency::finish(&mut tx, key, &response).await?;
            tx.commit().await?;
        }
        is_new
    } else {
        find_response(cx, key, command).await? == IdempotencyState::New
    };
    if is_rejected {
        Err(rejection.into())
    } else {
        wait_for_response(cx, key, command).await
    }
}

/// Waits until the request that runs under the same key has a response, or the caller's deadline has passed. Resumes
/// the order if it waits for the consumer's authentication.
async fn wait_for_response(
    cx: &Ordering,
    key: Key<'_>,
    command: &PlaceOrder,
) -> Result<OrderDetails, PlaceOrderError> {
    let timeout = deadline::time_remaining().unwrap_or(deadline::DEFAULT_TIMEOUT);
    let wait_until = Instant::now() + timeout;
    loop {
        let mut conn = cx.pool.acquire().await?;
        match idempotency::find(&mut conn, key, &command.request_hash).await? {
            IdempotencyState::Finished(response) => return stored_response(&response),
            IdempotencyState::Mismatch => return Err(PlaceOrderError::key_reused()),
            IdempotencyState::Running | IdempotencyState::New => {}
        }
        let begun = orders::find_by_key(&mut conn, command.consumer_id, key.key).await?;
        let is_last = Instant::now() + POLL_INTERVAL >= wait_until;
        // Read with this connection, because the caller has no time to wait for another one after the deadline.
        let error = if is_last {
            Some(taken_over(&mut conn, command.consumer_id).await?)
        } else {
            None
        };
        drop(conn);
        if let Some(record) = begun.filter(|record| record.placement.awaits_authentication)
            && let Some(order) = resume::resume(cx, record.order.id).await?
        {
            return Ok(order);
        }
        if let Some(error) = error {
            return Err(error);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Returns the connection to the pool before other services are called.
async fn find_response(
    cx: &Ordering,
    key: Key<'_>,
    command: &PlaceOrder,
) -> Result<IdempotencyState, PlaceOrderError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(idempotency::find(&mut conn, key, &command.request_hash).await?)
}

fn stored_response(encoded: &[u8]) -> Result<OrderDetails, PlaceOrderError> {
    match StoredResponse::decode(encoded)? {
        StoredResponse::Placed(order) => Ok(*order),
        StoredResponse::Rejected(error) => Err(PlaceOrderError::Rejected(error)),
    }
}

fn invalid_key() -> PlaceOrderError {
    let message = format!(
        "The idempotency key must have {MIN_IDEMPOTENCY_KEY_CHARS} to {MAX_IDEMPOTENCY_KEY_CHARS} characters."
    );
    let error = ServiceError::new(ErrorCode::InvalidRequest, "IDEMPOTENCY_KEY_INVALID", message);
    PlaceOrderError::Rejected(error.with_field("idempotencyKey"))
}
