//! Reads the records of an order in another service.

use std::time::Duration;

use kit::{InternalError, grpc::GrpcClient};
use proto::operations::v1::{ListOrderRecordsRequest, order_records_client};
use tonic::Request;
use types::OrderId;

use crate::{
    convert,
    records::{PublishedEvent, Records},
    service::Service,
};

/// Leaves time for the other services if one does not respond.
const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone)]
pub struct RecordsClient {
    service: Service,
    client: GrpcClient,
}

impl RecordsClient {
    #[must_use]
    pub const fn new(service: Service, client: GrpcClient) -> Self {
        Self { service, client }
    }

    #[must_use]
    pub const fn service(&self) -> Service {
        self.service
    }

    /// Returns the records of an order. `published_events` are those that other services published.
    pub async fn list_order_records(
        &self,
        order: OrderId,
        published_events: &[PublishedEvent],
    ) -> Result<Records, InternalError> {
        let mut request = Request::new(ListOrderRecordsRequest {
            order_id: order.to_string(),
            published_events: published_events.iter().map(convert::event_to_proto).collect(),
        });
        request.set_timeout(TIMEOUT);
        let mut client = order_records_client::OrderRecordsClient::new(self.client.as_service());
        convert::records(client.list_order_records(request).await?.into_inner())
    }
}
