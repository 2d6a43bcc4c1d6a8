//! The services that ordering calls: one file per service, domain types in and out.

mod gift_cards;
mod payments;
mod rewards;
mod stores;

use std::time::Duration;

use callers::Caller;
use kit::{caller::CallerKey, grpc::GrpcClient};
use order_records::{RecordsClient, Service};

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
    /// The records of orders in the other services. Payments is the first, because others consume its events.
    pub(crate) order_records: [RecordsClient; 4],
}

impl Clients {
    /// Connects lazily, so that services start in any order.
    ///
    /// # Errors
    /// If an address is malformed.
    pub fn new(config: &Config, key: &CallerKey) -> anyhow::Result<Self> {
        let client = |callee: &'static str, addresses: &str| {
            GrpcClient::new(Caller::from_service("ordering"), callee, addresses, key.clone()).map(|client| {
                client
                    .with_idempotent_methods(proto::is_idempotent)
                    .with_reads(proto::is_read)
            })
        };
        let stores = client("stores", &config.stores_address)?;
        let payments = client("payments", &config.payments_address)?;
        let gift_cards = client("gift-cards", &config.gift_cards_address)?;
        let rewards = client("rewards", &config.rewards_address)?;
        Ok(Self {
            order_records: [
                RecordsClient::new(Service::Payments, payments.clone()),
                RecordsClient::new(Service::Stores, stores.clone()),
                RecordsClient::new(Service::GiftCards, gift_cards.clone()),
                RecordsClient::new(Service::Rewards, rewards.clone()),
            ],
            stores: Stores::new(stores),
            payments: Payments::new(payments),
            gift_cards: GiftCards::new(gift_cards),
            rewards: Rewards::new(rewards),
        })
    }
}
