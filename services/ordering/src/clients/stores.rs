//! Menus, prices and capacity.

use jiff::Timestamp;
use kit::{
    InternalError,
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::stores::v1::{
    ReleaseCapacityRequest, ReserveCapacityRequest, ResolveLinesRequest, stores_client::StoresClient,
};
use types::{OrderId, StoreId};

use super::RETRY_BUDGET;
use crate::{
    convert,
    domain::{
        cart::CartLine,
        order::OrderRecord,
        quote::{Reservation, ResolvedLines},
    },
};

#[derive(Debug, Clone)]
pub(crate) struct Stores(GrpcClient);

impl Stores {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> StoresClient<ClientChannel> {
        StoresClient::new(self.0.as_service())
    }

    /// Prices lines by the menu. Nothing is reserved.
    pub(crate) async fn resolve_lines(
        &self,
        store_id: StoreId,
        lines: Vec<CartLine>,
        pickup_at: Option<Timestamp>,
    ) -> Result<ResolvedLines, InternalError> {
        let request = ResolveLinesRequest {
            store_id: store_id.to_string(),
            lines: lines.into_iter().map(convert::cart_line).collect(),
            pickup_at: convert::optional_timestamp(pickup_at),
        };
        let resolved = self.connect().resolve_lines(request).await?.into_inner();
        convert::resolved_lines(resolved)
    }

    /// Reserves capacity for an order. Fails with `ETA_CHANGED` if it could not be ready in time.
    pub(crate) async fn reserve_capacity(&self, record: &OrderRecord) -> Result<Reservation, InternalError> {
        let OrderRecord { order, placement } = record;
        let request = ReserveCapacityRequest {
            order_id: order.id.to_string(),
            store_id: order.store_id.to_string(),
            make_seconds: placement.make_seconds,
            pickup_at: convert::optional_timestamp(placement.pickup_at),
            not_after: placement.not_after.to_string(),
        };
        let reservation = retry(RETRY_BUDGET, || {
            let (mut stores, request) = (self.connect(), request.clone());
            async move { stores.reserve_capacity(request).await }
        })
        .await?;
        Ok(Reservation {
            ready_at: stored_precision(convert::timestamp_from_proto(&reservation.ready_at, "ready_at")?),
            start_at: stored_precision(convert::timestamp_from_proto(&reservation.start_at, "start_at")?),
        })
    }

    /// Releases the capacity of an order, or prevents a later reservation.
    pub(crate) async fn release_capacity(&self, order_id: OrderId) -> Result<(), InternalError> {
        let request = ReleaseCapacityRequest {
            order_id: order_id.to_string(),
        };
        retry(RETRY_BUDGET, || {
            let (mut stores, request) = (self.connect(), request.clone());
            async move { stores.release_capacity(request).await }
        })
        .await?;
        Ok(())
    }
}

/// Rounds down to the database's precision, so that the response equals the stored order.
fn stored_precision(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}
