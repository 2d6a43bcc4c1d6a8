//! The provider's customer object of a consumer.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::{ConsumerId, PaymentMethodId};

use super::publish;
use crate::Payments;
use crate::db::payment_methods;
use crate::db::provider_customers::{self, ProviderCustomer};
use crate::provider::{MissingObject, ProviderError};

#[derive(Debug, thiserror::Error)]
pub enum CustomerError {
    #[error("the consumer was removed")]
    Removed,
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(CustomerError);

impl From<ProviderError> for CustomerError {
    fn from(error: ProviderError) -> Self {
        Self::Internal(error.into())
    }
}

impl From<CustomerError> for kit::ServiceError {
    fn from(error: CustomerError) -> Self {
        match error {
            CustomerError::Removed => Self::new(
                kit::ErrorCode::Forbidden,
                "CONSUMER_REMOVED",
                "This account was deleted.",
            ),
            CustomerError::Internal(error) => error.into(),
        }
    }
}

/// Calls the provider with the id of the consumer's customer, which is created if necessary. If the customer no longer
/// exists at the provider, replaces it and repeats the call once. Returns the customer's id and the result.
pub async fn call_with_customer<T, F>(
    cx: &Payments,
    consumer_id: ConsumerId,
    call: impl Fn(String) -> F + Send,
) -> Result<(String, T), CustomerError>
where
    F: Future<Output = Result<T, ProviderError>> + Send,
{
    let customer_id = ensure_customer(cx, consumer_id).await?;
    match call(customer_id.clone()).await {
        Err(error) if error.missing_object() == Some(MissingObject::Customer) => {
            let customer_id = replace_customer(cx, consumer_id, &customer_id).await?;
            let output = call(customer_id.clone()).await?;
            Ok((customer_id, output))
        }
        result => Ok((customer_id, result?)),
    }
}

/// Returns the id of the consumer's customer. Concurrent calls create one customer: the provider deduplicates them by
/// idempotency key, the database by primary key.
async fn ensure_customer(cx: &Payments, consumer_id: ConsumerId) -> Result<String, CustomerError> {
    if let Some(customer_id) = find_customer_id(cx, consumer_id).await? {
        return Ok(customer_id);
    }
    let created = cx
        .provider
        .create_customer(consumer_id, None, cx.clock.now())
        .await?;
    let mut conn = cx.pool.acquire().await?;
    provider_customers::insert(&mut conn, consumer_id, &created, cx.clock.now()).await?;
    drop(conn);
    require_customer_id(cx, consumer_id).await
}

/// Replaces the consumer's customer if it is still the one that a charge found missing at the provider, so that the next payment
/// with a wallet has a customer.
pub async fn replace_missing_customer(
    cx: &Payments,
    consumer_id: ConsumerId,
    missing_id: &str,
) -> Result<(), CustomerError> {
    if find_customer_id(cx, consumer_id).await?.as_deref() == Some(missing_id) {
        replace_customer(cx, consumer_id, missing_id).await?;
    }
    Ok(())
}

/// Replaces a customer that no longer exists at the provider, and detaches its payment methods. Concurrent calls create
/// one replacement, and one of them stores it.
async fn replace_customer(
    cx: &Payments,
    consumer_id: ConsumerId,
    deleted_id: &str,
) -> Result<String, CustomerError> {
    let created = cx
        .provider
        .create_customer(consumer_id, Some(deleted_id), cx.clock.now())
        .await?;
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    if lock_if_current(&mut tx, consumer_id, deleted_id).await?
        && provider_customers::replace(&mut tx, consumer_id, deleted_id, &created).await?
    {
        detach_all(&mut tx, consumer_id, now).await?;
        tracing::warn!(consumer_id = %consumer_id, deleted_id, created, "replaced deleted provider customer");
    }
    tx.commit().await?;
    require_customer_id(cx, consumer_id).await
}

/// Detaches the payment methods that no longer exist at the provider: `method_id`, or all if the customer is missing.
/// Methods of a replacement customer are not detached.
pub async fn detach_missing_methods(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    customer_id: &str,
    method_id: PaymentMethodId,
    missing: MissingObject,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let is_current = lock_if_current(conn, consumer_id, customer_id).await?;
    if missing == MissingObject::Customer && is_current {
        detach_all(conn, consumer_id, now).await
    } else {
        detach(conn, consumer_id, method_id, now).await
    }
}

/// Locks the consumer's row. Returns whether `customer_id` is still the consumer's customer.
async fn lock_if_current(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    customer_id: &str,
) -> Result<bool, sqlx::Error> {
    provider_customers::lock(conn, consumer_id).await?;
    let customer = provider_customers::find(conn, consumer_id).await?;
    Ok(customer.is_some_and(|customer| customer.provider_id.as_deref() == Some(customer_id)))
}

async fn detach_all(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    for method in payment_methods::list(conn, consumer_id).await? {
        detach(conn, consumer_id, method.id, now).await?;
    }
    Ok(())
}

async fn detach(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    method_id: PaymentMethodId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if let Some(detached) = payment_methods::detach(conn, consumer_id, method_id, now).await? {
        publish::method_removed(conn, detached, now).await?;
    }
    Ok(())
}

async fn require_customer_id(cx: &Payments, consumer_id: ConsumerId) -> Result<String, CustomerError> {
    find_customer_id(cx, consumer_id)
        .await?
        .ok_or_else(|| kit::InternalError::invariant_violated("inserted provider customer not found").into())
}

async fn find_customer_id(cx: &Payments, consumer_id: ConsumerId) -> Result<Option<String>, CustomerError> {
    let mut conn = cx.pool.acquire().await?;
    match provider_customers::find(&mut conn, consumer_id).await? {
        Some(ProviderCustomer { is_removed: true, .. }) => Err(CustomerError::Removed),
        Some(ProviderCustomer { provider_id, .. }) => Ok(provider_id),
        None => Ok(None),
    }
}
