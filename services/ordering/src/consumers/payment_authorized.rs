use kit::consumer::ConsumeError;
use sqlx::PgConnection;
use types::OrderId;

use crate::{Ordering, ops::place_order::resume::resume_after_authorization};

pub(super) async fn handle(
    cx: &Ordering,
    order_id: OrderId,
    tx: &mut PgConnection,
) -> Result<(), ConsumeError> {
    Ok(resume_after_authorization(cx, tx, order_id).await?)
}
