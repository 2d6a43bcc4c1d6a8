use types::{ConsumerId, PaymentMethodId};

use super::payment_method_error::PaymentMethodError;
use crate::Payments;
use crate::db::payment_methods;
use crate::domain::payment_method::PaymentMethod;

pub async fn get_payment_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
) -> Result<PaymentMethod, PaymentMethodError> {
    let mut conn = cx.pool.acquire().await?;
    payment_methods::find(&mut conn, consumer_id, id)
        .await?
        .ok_or(PaymentMethodError::NotFound)
}
