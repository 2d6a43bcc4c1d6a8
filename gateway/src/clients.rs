//! The six services.

use callers::Caller;
use kit::caller::CallerKey;
use kit::config::Source;
use kit::grpc::{ClientChannel, GrpcClient};
use proto::accounts::v1::accounts_client::AccountsClient;
use proto::giftcards::v1::gift_cards_client::GiftCardsClient;
use proto::ordering::v1::ordering_client::OrderingClient;
use proto::payments::v1::payments_client::PaymentsClient;
use proto::rewards::v1::rewards_client::RewardsClient;
use proto::stores::v1::stores_client::StoresClient;

use crate::caller::Call;
use crate::config::Addresses;

/// One connection to each; a client is made for each call, with its caller.
#[derive(Debug, Clone)]
pub struct Clients {
    accounts: GrpcClient,
    stores: GrpcClient,
    ordering: GrpcClient,
    payments: GrpcClient,
    gift_cards: GrpcClient,
    rewards: GrpcClient,
}

impl Clients {
    /// Connections that open when first needed.
    ///
    /// # Errors
    /// A bad address or caller secret.
    pub fn from_config(source: &Source) -> anyhow::Result<Self> {
        let addresses: Addresses = source.read()?;
        let key = CallerKey::from_config(source)?;
        let peer = |address: &str| GrpcClient::new(Caller::from_service("gateway"), address, key.clone());
        Ok(Self {
            accounts: peer(&addresses.accounts_address)?,
            stores: peer(&addresses.stores_address)?,
            ordering: peer(&addresses.ordering_address)?,
            payments: peer(&addresses.payments_address)?,
            gift_cards: peer(&addresses.gift_cards_address)?,
            rewards: peer(&addresses.rewards_address)?,
        })
    }

    /// Who consumers are.
    #[must_use]
    pub fn accounts(&self, call: &Call) -> AccountsClient<ClientChannel> {
        AccountsClient::new(link(&self.accounts, call))
    }

    /// Stores and menus. A large menu is more than the 4 MB that tonic takes unasked.
    #[must_use]
    pub fn stores(&self, call: &Call) -> StoresClient<ClientChannel> {
        StoresClient::new(link(&self.stores, call)).max_decoding_message_size(16 << 20)
    }

    /// Carts and orders.
    #[must_use]
    pub fn ordering(&self, call: &Call) -> OrderingClient<ClientChannel> {
        OrderingClient::new(link(&self.ordering, call))
    }

    /// Payment methods.
    #[must_use]
    pub fn payments(&self, call: &Call) -> PaymentsClient<ClientChannel> {
        PaymentsClient::new(link(&self.payments, call))
    }

    /// Stored value.
    #[must_use]
    pub fn gift_cards(&self, call: &Call) -> GiftCardsClient<ClientChannel> {
        GiftCardsClient::new(link(&self.gift_cards, call))
    }

    /// Points and the inbox.
    #[must_use]
    pub fn rewards(&self, call: &Call) -> RewardsClient<ClientChannel> {
        RewardsClient::new(link(&self.rewards, call))
    }
}

fn link(peer: &GrpcClient, call: &Call) -> ClientChannel {
    peer.as_caller_correlated(call.caller.clone(), &call.correlation_id)
}
