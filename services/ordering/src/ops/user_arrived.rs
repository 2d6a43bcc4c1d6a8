//! "I'm here": tells the store that the consumer has come.

use kit::{ErrorCode, InternalError, ServiceError};
use proto::ordering::v1 as pb;
use types::{ConsumerId, OrderId};

use crate::{
    Ordering,
    db::orders,
    domain::{
        order::{Status, Step, WrongState},
        own_words,
    },
    ops::{fact, prepare::LONGEST_VEHICLE, read, transition::StepError},
};

/// Why nobody is told.
#[derive(Debug, thiserror::Error)]
pub enum ArrivedError {
    /// Nobody looks for a car by that much.
    #[error("vehicle too long")]
    VehicleTooLong,
    /// Not their order, or none that somebody can be there for.
    #[error(transparent)]
    Step(#[from] StepError),
}

impl From<ArrivedError> for ServiceError {
    fn from(error: ArrivedError) -> Self {
        match error {
            ArrivedError::VehicleTooLong => vehicle_too_long(),
            ArrivedError::Step(error) => error.into(),
        }
    }
}

/// The refusal of what describes a car at too great a length.
pub fn vehicle_too_long() -> ServiceError {
    let message = "Describe the car in up to 120 characters.";
    ServiceError::new(ErrorCode::RuleViolation, "VEHICLE_TOO_LONG", message).with_field("vehicle")
}

/// Notes that the consumer is there, and by which car. The first time counts.
///
/// # Errors
/// [`ArrivedError`].
pub async fn user_arrived(
    cx: &Ordering,
    consumer: ConsumerId,
    order: OrderId,
    vehicle: &str,
) -> Result<pb::Order, ArrivedError> {
    let vehicle = own_words::of(vehicle, LONGEST_VEHICLE).ok_or(ArrivedError::VehicleTooLong)?;
    Ok(note(cx, consumer, order, &vehicle).await?)
}

async fn note(
    cx: &Ordering,
    consumer: ConsumerId,
    order: OrderId,
    vehicle: &str,
) -> Result<pb::Order, StepError> {
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let row = orders::find(&mut tx, order)
        .await?
        .filter(|row| row.consumer() == consumer)
        .ok_or(StepError::Unknown)?;
    let status: Status = row.status.parse().map_err(InternalError::broken)?;
    if !orders::set_arrived(&mut tx, order, now, vehicle).await? {
        return Err(WrongState {
            from: status,
            step: Step::Complete,
        }
        .into());
    }
    let row = orders::find(&mut tx, order).await?.ok_or(StepError::Unknown)?;
    let status: Status = row.status.parse().map_err(InternalError::broken)?;
    fact::publish_arrived(&mut tx, &row, status, now).await?;
    let answer = read::with_history(&mut tx, row).await?;
    tx.commit().await?;
    Ok(answer)
}
