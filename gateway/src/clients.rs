//! gRPC clients of the services.

use callers::Caller;
use kit::caller::CallerKey;
use kit::config::Source;
use kit::grpc::{ClientChannel, GrpcClient};
use proto::accounts::v1::accounts_client::AccountsClient;
use proto::giftcards::v1::gift_cards_client::GiftCardsClient;
use proto::ordering::v1::ordering_client::OrderingClient;
use proto::payments::v1::payments_client::PaymentsClient;
use proto::rewards::v1::rewards_client::RewardsClient;
use proto::stores::v1::store_settings_client::StoreSettingsClient;
use proto::stores::v1::store_staff_client::StoreStaffClient;
use proto::stores::v1::stores_client::StoresClient;

use crate::config::ServiceAddresses;
use crate::context::CallContext;

/// A large menu exceeds tonic's default of 4 MiB.
const MAX_STORES_RESPONSE_BYTES: usize = 16 << 20;

/// One connection per service. A client is created for each call, with the caller of that call.
#[derive(Debug, Clone)]
pub(crate) struct Clients {
    accounts: GrpcClient,
    stores: GrpcClient,
    ordering: GrpcClient,
    payments: GrpcClient,
    gift_cards: GrpcClient,
    rewards: GrpcClient,
}

impl Clients {
    /// Creates the clients. Each connects with its first call.
    pub(crate) fn from_config(source: &Source) -> anyhow::Result<Self> {
        let addresses: ServiceAddresses = source.read()?;
        let key = CallerKey::from_config(source)?;
        let client = |callee: &'static str, addresses: &str| {
            GrpcClient::new(Caller::from_service("gateway"), callee, addresses, key.clone()).map(|client| {
                client
                    .with_idempotent_methods(proto::is_idempotent)
                    .with_reads(proto::is_read)
            })
        };
        Ok(Self {
            accounts: client("accounts", &addresses.accounts_address)?,
            stores: client("stores", &addresses.stores_address)?,
            ordering: client("ordering", &addresses.ordering_address)?,
            payments: client("payments", &addresses.payments_address)?,
            gift_cards: client("gift-cards", &addresses.gift_cards_address)?,
            rewards: client("rewards", &addresses.rewards_address)?,
        })
    }

    pub(crate) fn accounts(&self, context: &CallContext) -> AccountsClient<ClientChannel> {
        AccountsClient::new(channel(&self.accounts, context))
    }

    pub(crate) fn stores(&self, context: &CallContext) -> StoresClient<ClientChannel> {
        StoresClient::new(channel(&self.stores, context)).max_decoding_message_size(MAX_STORES_RESPONSE_BYTES)
    }

    pub(crate) fn store_settings(&self, context: &CallContext) -> StoreSettingsClient<ClientChannel> {
        StoreSettingsClient::new(channel(&self.stores, context))
            .max_decoding_message_size(MAX_STORES_RESPONSE_BYTES)
    }

    pub(crate) fn store_staff(&self, context: &CallContext) -> StoreStaffClient<ClientChannel> {
        StoreStaffClient::new(channel(&self.stores, context))
    }

    pub(crate) fn ordering(&self, context: &CallContext) -> OrderingClient<ClientChannel> {
        OrderingClient::new(channel(&self.ordering, context))
    }

    pub(crate) fn payments(&self, context: &CallContext) -> PaymentsClient<ClientChannel> {
        PaymentsClient::new(channel(&self.payments, context))
    }

    pub(crate) fn gift_cards(&self, context: &CallContext) -> GiftCardsClient<ClientChannel> {
        GiftCardsClient::new(channel(&self.gift_cards, context))
    }

    pub(crate) fn rewards(&self, context: &CallContext) -> RewardsClient<ClientChannel> {
        RewardsClient::new(channel(&self.rewards, context))
    }
}

fn channel(client: &GrpcClient, context: &CallContext) -> ClientChannel {
    let correlation_id = context.correlation_id.to_str().unwrap_or_default();
    client.as_caller_correlated(context.caller.clone(), correlation_id)
}
