//! The provider's customer of a consumer.

use jiff::Timestamp;
use sqlx::PgConnection;
use types::ConsumerId;

use super::publish;
use crate::Payments;
use crate::db::customers::{self, Customer};
use crate::db::methods;
use crate::provider::{Gone, ProviderError};

/// Why there is no customer.
#[derive(Debug, thiserror::Error)]
pub enum CustomerError {
    /// The consumer was removed.
    #[error("the consumer was removed")]
    Removed,
    /// Nobody's refusal.
    #[error(transparent)]
    Internal(#[from] kit::InternalError),
}

kit::impl_from_internal_errors!(CustomerError);

impl From<CustomerError> for kit::ServiceError {
    fn from(error: CustomerError) -> Self {
        match error {
            CustomerError::Removed => Self::new(
                kit::ErrorCode::Forbidden,
                "CONSUMER_REMOVED",
                "This account was removed.",
            ),
            CustomerError::Internal(fault) => fault.into(),
        }
    }
}

/// The provider's id of the consumer's one customer, which is created when first needed. Equal calls at once get the
/// same one: the provider tells them apart by their key no more than our unique row does.
///
/// # Errors
/// [`CustomerError`].
async fn ensure(cx: &Payments, consumer: ConsumerId) -> Result<String, CustomerError> {
    if let Some(known) = known(cx, consumer).await? {
        return Ok(known);
    }
    let made = cx
        .provider
        .create_customer(consumer, None)
        .await
        .map_err(kit::InternalError::from)?;
    let mut conn = cx.pool.acquire().await?;
    customers::insert(&mut conn, consumer, &made, cx.clock.now()).await?;
    drop(conn);
    written(cx, consumer).await
}

/// Asks the provider something about the consumer's customer. Where it knows that one no longer, it is made anew and
/// asked about once more. Answers the customer, too.
///
/// # Errors
/// [`CustomerError`]; inside, what else the provider says.
pub async fn ask<T, F>(
    cx: &Payments,
    consumer: ConsumerId,
    question: impl Fn(String) -> F + Send,
) -> Result<Result<(String, T), ProviderError>, CustomerError>
where
    F: Future<Output = Result<T, ProviderError>> + Send,
{
    let mut customer = ensure(cx, consumer).await?;
    let mut answer = question(customer.clone()).await;
    if answer
        .as_ref()
        .is_err_and(|error| error.gone() == Some(Gone::Customer))
    {
        customer = replace(cx, consumer, &customer).await?;
        answer = question(customer.clone()).await;
    }
    Ok(answer.map(|answer| (customer, answer)))
}

/// Makes the customer anew that the provider lost. Whoever else notices at the same time asks for the same one, and one
/// of them writes it down; what belonged to the lost one goes with it.
async fn replace(cx: &Payments, consumer: ConsumerId, lost: &str) -> Result<String, CustomerError> {
    let made = cx
        .provider
        .create_customer(consumer, Some(lost))
        .await
        .map_err(kit::InternalError::from)?;
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    if is_current(&mut tx, consumer, lost).await?
        && customers::replace(&mut tx, consumer, lost, &made).await?
    {
        detach_all(&mut tx, consumer, now).await?;
        tracing::warn!(consumer_id = %consumer, lost, made, "the payment provider did not know a customer; made anew");
    }
    tx.commit().await?;
    written(cx, consumer).await
}

/// The provider no longer knows a customer, or one method of it: it is not offered any more, nor is anything else that
/// went with it. Says nothing of a customer that was made anew in the meantime.
///
/// # Errors
/// The database's.
pub async fn take_off(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    (gone, customer): (Gone, &str),
    method: types::PaymentMethodId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let current = is_current(conn, consumer, customer).await?;
    if gone == Gone::Customer && current {
        return detach_all(conn, consumer, now).await;
    }
    if let Some(version) = methods::detach(conn, consumer, method, now).await? {
        publish::method_changed(conn, consumer, (method, version), now).await?;
    }
    Ok(())
}

/// Whether the consumer's customer is still this one; locked, so that it stays so.
async fn is_current(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    customer: &str,
) -> Result<bool, sqlx::Error> {
    customers::lock(conn, consumer).await?;
    let known = customers::find(conn, consumer).await?;
    Ok(known.is_some_and(|known| known.provider_id.as_deref() == Some(customer)))
}

async fn detach_all(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    for method in methods::list(conn, consumer).await? {
        if let Some(version) = methods::detach(conn, consumer, method.id, now).await? {
            publish::method_changed(conn, consumer, (method.id, version), now).await?;
        }
    }
    Ok(())
}

async fn written(cx: &Payments, consumer: ConsumerId) -> Result<String, CustomerError> {
    known(cx, consumer)
        .await?
        .ok_or_else(|| kit::InternalError::broken("a customer was written and is not there").into())
}

async fn known(cx: &Payments, consumer: ConsumerId) -> Result<Option<String>, CustomerError> {
    let mut conn = cx.pool.acquire().await?;
    match customers::find(&mut conn, consumer).await? {
        Some(Customer { removed: true, .. }) => Err(CustomerError::Removed),
        Some(Customer { provider_id, .. }) => Ok(provider_id),
        None => Ok(None),
    }
}
