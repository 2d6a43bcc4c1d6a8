//! The store accepted the order: its money is taken, unless the order has let it go already.

use jiff::Timestamp;
use kit::consumer::{ConsumeError, Delivery, require_field};
use proto::ordering::v1::OrderAccepted;
use sqlx::PgConnection;

use super::may_be_charged;
use crate::domain::charge::Wanted;
use crate::ops::want::want;

pub(super) async fn handle(
    conn: &mut PgConnection,
    event: &Delivery,
    at: Timestamp,
) -> Result<(), ConsumeError> {
    let fact = require_field(event.decode::<OrderAccepted>()?.order, "order")?;
    if may_be_charged(&fact) {
        want(conn, fact.order_id.parse()?, Wanted::Capture, at).await?;
    }
    Ok(())
}
