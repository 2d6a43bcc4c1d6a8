//! Notifies the consumer about a debt.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::payments::v1::{ChargeSnapshot, DebtCreated};
use sqlx::PgConnection;

use crate::{convert::failed_payment::debt, ops::notify_failed_payment::notify_failed_payment};

pub(super) async fn handle(
    charge: ChargeSnapshot,
    created: DebtCreated,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(payment) = debt(&charge, created, now)? {
        notify_failed_payment(tx, payment, now).await?;
    }
    Ok(())
}
