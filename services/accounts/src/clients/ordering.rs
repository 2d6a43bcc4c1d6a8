//! Orders of a consumer.

use callers::Caller;
use kit::{InternalError, caller::CallerKey, grpc::GrpcClient};
use proto::ordering::v1::{ListActiveOrdersRequest, ordering_client::OrderingClient};
use types::{ConsumerId, SessionId};

#[derive(Debug, Clone)]
pub struct Ordering(GrpcClient);

impl Ordering {
    /// Connects lazily, so that services start in any order.
    ///
    /// # Errors
    /// An address is malformed.
    pub fn new(addresses: &str, key: &CallerKey) -> anyhow::Result<Self> {
        let own = Caller::from_service("accounts");
        let client = GrpcClient::new(own, "ordering", addresses, key.clone())?;
        Ok(Self(
            client
                .with_idempotent_methods(proto::is_idempotent)
                .with_reads(proto::is_read),
        ))
    }

    /// Returns whether the consumer has an order that has not ended.
    pub(crate) async fn has_active_order(
        &self,
        id: ConsumerId,
        session: SessionId,
    ) -> Result<bool, InternalError> {
        let channel = self.0.as_caller(Caller::Consumer { id, session });
        let request = ListActiveOrdersRequest { day: String::new() };
        let response = OrderingClient::new(channel).list_active_orders(request).await?;
        Ok(!response.into_inner().orders.is_empty())
    }
}
