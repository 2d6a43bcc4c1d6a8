//! The services that gift-cards calls: one file per service, domain types in and out.

mod accounts;
mod payments;
mod stores;

use std::time::Duration;

use callers::Caller;
use kit::{caller::CallerKey, grpc::GrpcClient};

use self::{accounts::Accounts, payments::Payments, stores::Stores};
use crate::config::Config;

/// Time for which a saga retries an idempotent call while the service is unavailable. Shorter than the saga's lease.
const RETRY_BUDGET: Duration = Duration::from_secs(4);

#[derive(Debug, Clone)]
pub struct Clients {
    pub(crate) accounts: Accounts,
    pub(crate) payments: Payments,
    pub(crate) stores: Stores,
}

impl Clients {
    /// Connects lazily, so that services start in any order.
    ///
    /// # Errors
    /// If an address is malformed.
    pub fn new(config: &Config, key: &CallerKey) -> anyhow::Result<Self> {
        let client = |callee: &'static str, addresses: &str| {
            GrpcClient::new(Caller::from_service("gift-cards"), callee, addresses, key.clone()).map(
                |client| {
                    client
                        .with_idempotent_methods(proto::is_idempotent)
                        .with_reads(proto::is_read)
                },
            )
        };
        Ok(Self {
            accounts: Accounts::new(client("accounts", &config.accounts_address)?),
            payments: Payments::new(client("payments", &config.payments_address)?),
            stores: Stores::new(client("stores", &config.stores_address)?),
        })
    }
}
