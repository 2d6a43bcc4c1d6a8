//! What became of a payment. One that may have waited for its consumer: the order is carried on, also when nobody asks for
//! it. One that is gone: the order that was placed with it is called off.

use kit::consumer::ConsumeError;
use proto::payments::v1::ChargeSnapshot;
use sqlx::PgConnection;
use types::OrderId;

use crate::{
    Ordering,
    db::orders,
    domain::order::Status,
    ops::{
        cancel::{Unpaid, cancel_unpaid},
        carry_on,
    },
};

/// Calls off what nobody pays for any more. An order that is being placed is carried on, on a tracked task: the event's
/// own effect is only to notice. Should the process die with it, the same key carries the order on, or recovery closes
/// it.
///
/// # Errors
/// [`ConsumeError::Rejected`]: an event about nothing.
pub async fn handle(
    cx: &Ordering,
    charge: Option<ChargeSnapshot>,
    unpaid: Option<Unpaid>,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    let charge = charge.ok_or_else(|| ConsumeError::Rejected("no charge in it".to_owned()))?;
    let order: OrderId = charge.order_id.parse()?;
    tracing::Span::current().record("order_id", tracing::field::display(order));
    // Also where nobody is awaited at this moment: whoever carries it on may have looked before the news.
    let pending = orders::find(tx, order)
        .await?
        .is_some_and(|row| row.status == Status::PaymentPending.as_str());
    match unpaid {
        _ if pending => {
            let own = cx.clone();
            drop(
                cx.process
                    .spawn(async move { while_placing(&own, order, unpaid).await }),
            );
        }
        Some(why) => cancel_unpaid(cx, tx, order, why).await?,
        None => {}
    }
    Ok(())
}

/// Carries the order on; and calls it off where whoever placed it had looked before the payment was gone.
async fn while_placing(cx: &Ordering, order: OrderId, unpaid: Option<Unpaid>) {
    carry_on::on_news(cx, order).await;
    let Some(why) = unpaid else { return };
    let called_off = async {
        let mut tx = cx.pool.begin().await?;
        cancel_unpaid(cx, &mut tx, order, why).await?;
        Ok::<_, kit::InternalError>(tx.commit().await?)
    };
    if let Err(error) = called_off.await {
        tracing::error!(order_id = %order, %error, "an order that nobody pays for was not called off; somebody must look at it");
    }
}
