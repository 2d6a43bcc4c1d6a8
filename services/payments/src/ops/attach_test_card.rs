//! Gives the demo consumer a card that can pay without anybody typing it: the provider's test Visa, 4242.

use types::ConsumerId;
use uuid::Uuid;

use super::add_card::add_card;
use super::customer::{self, CustomerError};
use crate::Payments;
use crate::db::effects::{self, Task};
use crate::provider::ProviderError;

/// The consumer whom every service's seed knows.
const DEMO_CONSUMER: Uuid = Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001);

/// The provider's name for it; real keys refuse it.
const TEST_VISA: &str = "pm_card_visa";

/// Plans the card once, however often it is seeded: the sandbox need not run yet, the worker waits for it.
///
/// # Errors
/// The database's.
pub async fn plan(cx: &Payments) -> Result<(), kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    effects::plan(
        &mut conn,
        Task::AttachTestCard(DEMO_CONSUMER.into()),
        cx.clock.now(),
    )
    .await?;
    Ok(())
}

/// Attaches the card, and takes it over as if the page had.
///
/// # Errors
/// The database's; inside, the provider's.
pub(super) async fn attach(
    cx: &Payments,
    consumer: ConsumerId,
    key: &str,
) -> Result<Result<(), ProviderError>, kit::InternalError> {
    let attached = customer::ask(cx, consumer, |customer| async move {
        // To another customer it is another request.
        let key = format!("{key}:{customer}");
        cx.provider.attach_method(&customer, TEST_VISA, &key).await
    });
    match attached.await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => return Ok(Err(error)),
        Err(CustomerError::Removed) => return Ok(Ok(())),
        Err(CustomerError::Internal(fault)) => return Err(fault),
    }
    match add_card(cx, consumer).await {
        Err(CustomerError::Internal(fault)) => Err(fault),
        Ok(_) | Err(CustomerError::Removed) => Ok(Ok(())),
    }
}
