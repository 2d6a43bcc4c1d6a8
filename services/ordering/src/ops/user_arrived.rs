//! "I'm here": tells the store that the consumer has come.

use kit::Fault;
use proto::ordering::v1 as pb;
use types::{ConsumerId, OrderId};

use crate::{
    Ordering,
    db::orders,
    domain::order::{Status, Step, WrongState},
    ops::{fact, prepare::LONGEST_VEHICLE, read, transition::StepError},
};

/// Notes that the consumer is there, and by which car. The first time counts.
///
/// # Errors
/// [`StepError`]: not their order, or none that somebody can be there for.
pub async fn user_arrived(
    cx: &Ordering,
    consumer: ConsumerId,
    order: OrderId,
    vehicle: &str,
) -> Result<pb::Order, StepError> {
    let vehicle: String = vehicle.trim().chars().take(LONGEST_VEHICLE).collect();
    let now = cx.clock.now();
    let mut tx = cx.pool.begin().await?;
    let row = orders::find(&mut tx, order)
        .await?
        .filter(|row| row.consumer() == consumer)
        .ok_or(StepError::Unknown)?;
    let status: Status = row.status.parse().map_err(Fault::broken)?;
    if !orders::set_arrived(&mut tx, order, now, &vehicle).await? {
        return Err(WrongState {
            from: status,
            step: Step::Complete,
        }
        .into());
    }
    let row = orders::find(&mut tx, order).await?.ok_or(StepError::Unknown)?;
    let status: Status = row.status.parse().map_err(Fault::broken)?;
    fact::publish_arrived(&mut tx, &row, status, now).await?;
    let answer = read::with_history(&mut tx, row).await?;
    tx.commit().await?;
    Ok(answer)
}
