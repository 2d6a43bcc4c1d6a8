//! The services that ordering calls: one file per service, domain types in and out.

mod gift_cards;
mod payments;
mod rewards;
mod stores;

use std::time::Duration;

use callers::Caller;
use kit::{caller::CallerKey, grpc::GrpcClient};

use self::{gift_cards::GiftCards, payments::Payments, rewards::Rewards, stores::Stores};
use crate::config::Config;

/// Time for which the saga retries an idempotent call while the service is unavailable. Shorter than the saga's lease.
const RETRY_BUDGET: Duration = Duration::from_secs(4);

#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) stores: Stores,
    pub(crate) payments: Payments,
    pub(crate) gift_cards: GiftCards,
    pub(crate) rewards: Rewards,
}

impl Clients {
    /// Connects lazily, so that services start in any order.
    ///
    /// # Errors
    /// If an address is malformed.
    pub fn new(config: &Config, key: &CallerKey) -> anyhow::Result<Self> {
        let client = |callee: &'static str, addresses: &str| {
            GrpcClient::new(Caller::from_service("ordering"), callee, addresses, key.clone())
                .map(|client| client.with_idempotent_methods(proto::is_idempotent))
        };
        Ok(Self {
            stores: Stores::new(client("stores", &config.stores_address)?),
            payments: Payments::new(client("payments", &config.payments_address)?),
            gift_cards: GiftCards::new(client("gift-cards", &config.gift_cards_address)?),
            rewards: Rewards::new(client("rewards", &config.rewards_address)?),
        })
    }
}
