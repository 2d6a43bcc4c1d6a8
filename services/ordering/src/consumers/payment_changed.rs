//! The provider told of a payment that waited for its consumer: the order is carried on, also when nobody asks for it.

use kit::consumer::ConsumeError;
use proto::payments::v1::ChargeFact;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Ordering, db::orders};

/// Carries the order on, on a tracked task: the event's own effect is only to notice, and the same key or recovery
/// carries it on as well.
///
/// # Errors
/// [`ConsumeError::Refused`]: an event about nothing.
pub async fn handle(
    cx: &Ordering,
    charge: Option<ChargeFact>,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    let charge = charge.ok_or_else(|| ConsumeError::Refused("no charge in it".to_owned()))?;
    let order: OrderId = charge.order_id.parse()?;
    tracing::Span::current().record("order_id", tracing::field::display(order));
    let awaiting = orders::find(tx, order)
        .await?
        .is_some_and(|row| !row.client_secret.is_empty());
    if awaiting {
        let own = cx.clone();
        drop(cx.process.spawn(async move {
            let work = crate::ops::carry_on::carry_on(&own, order);
            if let Err(error) = kit::grpc::deadline::within(own.rules.saga(), work).await {
                tracing::info!(order_id = %order, %error, "order not carried on");
            }
        }));
    }
    Ok(())
}
