//! Notifies the consumer that the bank returned the payment of an order.

use jiff::Timestamp;
use kit::consumer::ConsumeError;
use proto::payments::v1::{ChargeSnapshot, PaymentReturned};
use sqlx::PgConnection;

use crate::{convert::failed_payment::returned_payment, ops::notify_failed_payment::notify_failed_payment};

pub(super) async fn handle(
    charge: ChargeSnapshot,
    returned: PaymentReturned,
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<(), ConsumeError> {
    if let Some(payment) = returned_payment(&charge, returned, now)? {
        notify_failed_payment(tx, payment, now).await?;
    }
    Ok(())
}
