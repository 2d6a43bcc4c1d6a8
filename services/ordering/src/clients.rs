//! The other services that ordering calls, in its own name.

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient},
};
use proto::{
    giftcards::v1::gift_cards_client::GiftCardsClient, payments::v1::payments_client::PaymentsClient,
    rewards::v1::rewards_client::RewardsClient, stores::v1::stores_client::StoresClient,
};

use crate::config::Config;

/// Connections to the others.
#[derive(Debug, Clone)]
pub struct Clients {
    stores: GrpcClient,
    payments: GrpcClient,
    gift_cards: GrpcClient,
    rewards: GrpcClient,
}

impl Clients {
    /// Connections that open when first used.
    ///
    /// # Errors
    /// An address that is none.
    pub fn new(config: &Config, key: &CallerKey) -> anyhow::Result<Self> {
        let peer = |address: &str| GrpcClient::new(Caller::from_service("ordering"), address, key.clone());
        Ok(Self {
            stores: peer(&config.stores_address)?,
            payments: peer(&config.payments_address)?,
            gift_cards: peer(&config.gift_cards_address)?,
            rewards: peer(&config.rewards_address)?,
        })
    }

    /// Menus, prices, minutes.
    #[must_use]
    pub fn stores(&self) -> StoresClient<ClientChannel> {
        StoresClient::new(self.stores.as_service())
    }

    /// Charges.
    #[must_use]
    pub fn payments(&self) -> PaymentsClient<ClientChannel> {
        PaymentsClient::new(self.payments.as_service())
    }

    /// The payments service, asked on a consumer's behalf.
    #[must_use]
    pub fn payments_for(&self, caller: &Caller) -> ClientChannel {
        self.payments.as_caller(caller.clone())
    }

    /// The gift-cards service, asked on a consumer's behalf.
    #[must_use]
    pub fn gift_cards_for(&self, caller: &Caller) -> ClientChannel {
        self.gift_cards.as_caller(caller.clone())
    }

    /// Stored value.
    #[must_use]
    pub fn gift_cards(&self) -> GiftCardsClient<ClientChannel> {
        GiftCardsClient::new(self.gift_cards.as_service())
    }

    /// Discounts.
    #[must_use]
    pub fn rewards(&self) -> RewardsClient<ClientChannel> {
        RewardsClient::new(self.rewards.as_service())
    }
}
