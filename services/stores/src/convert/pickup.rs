//! Converts pickup options and reservations.

use jiff::{Timestamp, tz::TimeZone};
use kit::ServiceError;
use proto::stores::v1 as pb;
use types::OrderId;

use super::{
    request::{optional_timestamp_field, order_id, requested_pickup, required_timestamp_field, store_id},
    values::{optional_timestamp, time_zone},
};
use crate::domain::{
    pickup::PickupOptions,
    reservation::{Reservation, ReserveCapacity},
};

pub(crate) fn pickup_options(options: &PickupOptions) -> pb::PickupOptions {
    pb::PickupOptions {
        counter: true,
        curbside: options.curbside,
        earliest_at: optional_timestamp(options.earliest_at),
        slots: options.times.iter().map(ToString::to_string).collect(),
        time_zone: time_zone(&options.zone),
        earliest_local_time: options
            .earliest_at
            .map(|at| local_time(at, &options.zone))
            .unwrap_or_default(),
    }
}

/// Returns the time of day in 24 hours: "09:03".
fn local_time(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%H:%M").to_string()
}

pub(crate) fn reserve_capacity(
    request: &pb::ReserveCapacityRequest,
) -> Result<ReserveCapacity, ServiceError> {
    Ok(ReserveCapacity {
        order_id: order_id(&request.order_id)?,
        store_id: store_id(&request.store_id)?,
        make_seconds: request.make_seconds,
        pickup: requested_pickup(&request.pickup_at)?,
        not_after: optional_timestamp_field("notAfter", &request.not_after)?,
    })
}

pub(crate) fn move_reservation(
    request: &pb::MoveReservationRequest,
) -> Result<(OrderId, Timestamp), ServiceError> {
    let ready_at = required_timestamp_field("readyAt", &request.ready_at)?;
    Ok((order_id(&request.order_id)?, ready_at))
}

pub(crate) fn closed_times(times: &[Timestamp]) -> pb::ListClosedTimesResponse {
    let times = times.iter().map(ToString::to_string).collect();
    pb::ListClosedTimesResponse { times }
}

pub(crate) fn reservation(reservation: Reservation) -> pb::Reservation {
    pb::Reservation {
        order_id: reservation.order_id.to_string(),
        ready_at: reservation.ready_at.to_string(),
        start_at: reservation.start_at.to_string(),
    }
}
