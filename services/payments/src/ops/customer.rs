//! The provider's customer of a consumer.

use types::ConsumerId;

use crate::Payments;
use crate::db::customers::{self, Customer};

/// Why there is no customer.
#[derive(Debug, thiserror::Error)]
pub enum CustomerError {
    /// The consumer was removed.
    #[error("the consumer was removed")]
    Removed,
    /// Nobody's refusal.
    #[error(transparent)]
    Fault(#[from] kit::Fault),
}

kit::fault_from!(CustomerError);

impl From<CustomerError> for kit::Refusal {
    fn from(error: CustomerError) -> Self {
        match error {
            CustomerError::Removed => Self::new(
                kit::Code::Forbidden,
                "CONSUMER_REMOVED",
                "This account was removed.",
            ),
            CustomerError::Fault(fault) => fault.into(),
        }
    }
}

/// The provider's id of the consumer's one customer, which is created when first needed. Equal calls at once get the
/// same one: the provider tells them apart by their key no more than our unique row does.
///
/// # Errors
/// [`CustomerError`].
pub async fn ensure(cx: &Payments, consumer: ConsumerId) -> Result<String, CustomerError> {
    if let Some(known) = known(cx, consumer).await? {
        return Ok(known);
    }
    let made = cx
        .provider
        .create_customer(consumer)
        .await
        .map_err(kit::Fault::from)?;
    let mut conn = cx.pool.acquire().await?;
    customers::insert(&mut conn, consumer, &made, cx.clock.now()).await?;
    drop(conn);
    known(cx, consumer)
        .await?
        .ok_or_else(|| kit::Fault::broken("a customer was written and is not there").into())
}

async fn known(cx: &Payments, consumer: ConsumerId) -> Result<Option<String>, CustomerError> {
    let mut conn = cx.pool.acquire().await?;
    match customers::find(&mut conn, consumer).await? {
        Some(Customer { removed: true, .. }) => Err(CustomerError::Removed),
        Some(Customer { provider_id, .. }) => Ok(provider_id),
        None => Ok(None),
    }
}
