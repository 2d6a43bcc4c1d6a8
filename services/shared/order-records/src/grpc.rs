//! Serves the records in the database of one service.

use callers::Caller;
use kit::{
    ErrorCode, InternalError, ServiceError,
    grpc::{GrpcResult, into_grpc},
};
use proto::operations::v1::{
    ListOrderRecordsRequest, ListOrderRecordsResponse, order_records_server,
    order_records_server::OrderRecordsServer,
};
use sqlx::PgPool;
use tonic::Request;
use types::OrderId;

use crate::{
    convert,
    deliveries::read_deliveries,
    queries::read_records,
    records::{PublishedEvent, Records},
    service::Service,
};

#[derive(Debug)]
pub struct Grpc {
    service: Service,
    pool: PgPool,
}

/// Creates the gRPC service with the records in the database of `service`.
#[must_use]
pub fn server(service: Service, pool: PgPool) -> OrderRecordsServer<Grpc> {
    OrderRecordsServer::new(Grpc { service, pool })
}

#[tonic::async_trait]
impl order_records_server::OrderRecords for Grpc {
    async fn list_order_records(
        &self,
        request: Request<ListOrderRecordsRequest>,
    ) -> GrpcResult<ListOrderRecordsResponse> {
        Caller::of(&request)?.service(&["ordering"])?;
        let request = request.into_inner();
        let order: OrderId = request.order_id.parse().map_err(|_| malformed("order_id"))?;
        let events: Result<Vec<_>, _> = request
            .published_events
            .into_iter()
            .map(convert::event_from_proto)
            .collect();
        let events = events.map_err(|_| malformed("published_events"))?;
        into_grpc(
            list_order_records(self, order, events)
                .await
                .map(|records| convert::response(&records)),
        )
    }
}

async fn list_order_records(
    cx: &Grpc,
    order: OrderId,
    published_events: Vec<PublishedEvent>,
) -> Result<Records, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let mut records = read_records(cx.service, &mut conn, order).await?;
    records.extend(read_deliveries(cx.service, &mut conn, &published_events).await?);
    Ok(records)
}

fn malformed(field: &'static str) -> ServiceError {
    ServiceError::new(
        ErrorCode::InvalidRequest,
        "MALFORMED",
        "This request isn't valid.",
    )
    .with_field(field)
}
