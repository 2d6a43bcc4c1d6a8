//! Notifies the store that the consumer has arrived.

use kit::{ServiceError, outbox};
use types::{ConsumerId, OrderId, limits::MAX_VEHICLE_CHARS, text::sanitize_text_within};

use super::{order_details::with_history, order_error::OrderError};
use crate::{
    Ordering, convert,
    db::orders,
    domain::{
        order::OrderDetails,
        status::{InvalidTransition, Step},
    },
    errors::vehicle_too_long,
};

#[derive(Debug, thiserror::Error)]
pub enum UserArrivedError {
    #[error("vehicle description too long")]
    VehicleTooLong,
    #[error(transparent)]
    Transition(#[from] OrderError),
}

impl From<UserArrivedError> for ServiceError {
    fn from(error: UserArrivedError) -> Self {
        match error {
            UserArrivedError::VehicleTooLong => vehicle_too_long(),
            UserArrivedError::Transition(error) => error.into(),
        }
    }
}

/// Records that the consumer has arrived, and in which vehicle. Later calls do not change the time, and publish nothing unless the
/// vehicle changed.
///
/// # Errors
/// [`UserArrivedError::VehicleTooLong`], and [`OrderError`] if the consumer has no such order or its status is not
/// Placed to Ready.
pub async fn user_arrived(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
    vehicle: &str,
) -> Result<OrderDetails, UserArrivedError> {
    let vehicle = sanitize_text_within(vehicle, MAX_VEHICLE_CHARS).ok_or(UserArrivedError::VehicleTooLong)?;
    Ok(record_arrival(cx, consumer_id, order_id, &vehicle).await?)
}

async fn record_arrival(
    cx: &Ordering,
    consumer_id: ConsumerId,
    order_id: OrderId,
    vehicle: &str,
) -> Result<OrderDetails, OrderError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let known = orders::find(&mut tx, order_id)
        .await?
        .filter(|record| record.order.consumer_id == consumer_id)
        .ok_or(OrderError::NotFound)?;
    known.order.status.after(Step::Arrive)?;
    let is_same_vehicle = vehicle.is_empty() || vehicle == known.order.vehicle;
    if known.order.arrived_at.is_some() && is_same_vehicle {
        return Ok(with_history(&mut tx, known).await?);
    }
    if !orders::set_arrived(&mut tx, order_id, now, vehicle).await? {
        return Err(InvalidTransition {
            from: known.order.status,
            step: Step::Arrive,
        }
        .into());
    }
    let record = orders::find(&mut tx, order_id)
        .await?
        .ok_or(OrderError::NotFound)?;
    outbox::append(&mut tx, convert::order_arrived(&record.order, now)).await?;
    let details = with_history(&mut tx, record).await?;
    tx.commit().await?;
    Ok(details)
}
