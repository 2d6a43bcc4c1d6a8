//! Menus, prices and capacity.

use jiff::Timestamp;
use kit::{
    InternalError,
    grpc::{ClientChannel, GrpcClient, retry},
};
use proto::stores::v1::{
    ListClosedTimesRequest, MoveReservationRequest, ReleaseCapacityRequest, ReserveCapacityRequest,
    ResolveLinesRequest, stores_client::StoresClient,
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

    /// Reserves capacity for an order. Fails with `ETA_CHANGED` if the store cannot have it ready in time.
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

    /// Moves the reservation of an order. Fails with `PICKUP_TIME_INVALID` or `SLOT_UNAVAILABLE` if the store cannot have the
    /// order ready at the time.
    pub(crate) async fn move_reservation(
        &self,
        order_id: OrderId,
        ready_at: Timestamp,
    ) -> Result<Reservation, InternalError> {
        let request = MoveReservationRequest {
            order_id: order_id.to_string(),
            ready_at: ready_at.to_string(),
        };
        let reservation = retry(RETRY_BUDGET, || {
            let (mut stores, request) = (self.connect(), request.clone());
            async move { stores.move_reservation(request).await }
        })
        .await?;
        Ok(Reservation {
            ready_at: stored_precision(convert::timestamp_from_proto(&reservation.ready_at, "ready_at")?),
            start_at: stored_precision(convert::timestamp_from_proto(&reservation.start_at, "start_at")?),
        })
    }

    /// Returns those of `times` at which a store is closed.
    pub(crate) async fn list_closed_times(
        &self,
        store_id: StoreId,
        times: impl Iterator<Item = Timestamp>,
    ) -> Result<Vec<Timestamp>, InternalError> {
        let request = ListClosedTimesRequest {
            store_id: store_id.to_string(),
            times: times.map(|at| at.to_string()).collect(),
        };
        let closed = self.connect().list_closed_times(request).await?.into_inner();
        closed
            .times
            .iter()
            .map(|at| convert::timestamp_from_proto(at, "times"))
            .collect()
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
