use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, Money, StoreId};

use crate::{
    GiftCards,
    db::{accounts, counter},
    domain::{counter::CounterPin, secret::new_counter_pin},
};

/// A store has far fewer active PINs than there are numbers, so this many collisions in a row mean that all are in use.
const MAX_ATTEMPTS: u32 = 40;

#[derive(Debug, thiserror::Error)]
pub enum CreateCounterPinError {
    #[error("store unknown")]
    StoreUnknown,
    #[error("consumer was removed")]
    ConsumerRemoved,
    /// All PINs of the store are in use.
    #[error("no PIN is free")]
    NoPinFree,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(CreateCounterPinError);

impl From<CreateCounterPinError> for ServiceError {
    fn from(error: CreateCounterPinError) -> Self {
        match error {
            CreateCounterPinError::StoreUnknown => Self::new(
                ErrorCode::NotFound,
                "STORE_UNKNOWN",
                "We couldn't find that store.",
            )
            .with_field("storeId"),
            CreateCounterPinError::ConsumerRemoved => callers::forbidden(),
            CreateCounterPinError::NoPinFree => Self::unavailable(),
            CreateCounterPinError::Internal(error) => error.into(),
        }
    }
}

/// Creates a PIN for paying with JoePass at the counter of a store. It is unique among the active PINs of the store, expires
/// soon, and replaces the consumer's previous one.
pub async fn create_counter_pin(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    store_id: StoreId,
) -> Result<CounterPin, CreateCounterPinError> {
    let store = cx
        .clients
        .stores
        .find_store(store_id)
        .await?
        .ok_or(CreateCounterPinError::StoreUnknown)?;
    let now = cx.clock.now();
    let expires_at = now + cx.rules.counter_pin_lifetime();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let account = accounts::open_joepass(&mut tx, consumer_id, now)
        .await?
        .ok_or(CreateCounterPinError::ConsumerRemoved)?;
    let available: Money = accounts::available(&mut tx, account).await?;
    counter::delete_expired(&mut tx, store_id, now).await?;
    for _ in 0..MAX_ATTEMPTS {
        let pin = new_counter_pin(&mut rand::rng());
        let hash = cx.secret.counter_pin_hash(store_id, &pin);
        let target = (store_id, store.name.as_str());
        if counter::replace_pin(&mut tx, consumer_id, target, &hash, expires_at).await? {
            tx.commit().await?;
            return Ok(CounterPin {
                pin,
                expires_at,
                store_name: store.name,
                available,
            });
        }
    }
    Err(CreateCounterPinError::NoPinFree)
}
