//! The provider told of a payment that may have waited for its consumer: the order is carried on, also when nobody asks
//! for it.

use kit::consumer::ConsumeError;
use proto::payments::v1::ChargeFact;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Ordering, db::orders, domain::order::Status, ops::carry_on};

/// Carries the order on, on a tracked task: the event's own effect is only to notice. Should the process die with it,
/// the same key carries the order on, or recovery closes it.
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
    // Also where nobody is awaited at this moment: whoever carries it on may have looked before the news.
    let pending = orders::find(tx, order)
        .await?
        .is_some_and(|row| row.status == Status::PaymentPending.as_str());
    if pending {
        let own = cx.clone();
        drop(
            cx.process
                .spawn(async move { carry_on::on_news(&own, order).await }),
        );
    }
    Ok(())
}
