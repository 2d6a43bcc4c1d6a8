use types::{ConsumerId, PaymentMethodId};

use crate::Payments;
use crate::db::payment_methods;
use crate::domain::payment_method::PaymentMethod;

/// Lists a consumer's methods: `preferred` first, then the default, then the newest. Only the consumer's default is marked as such.
pub async fn list_payment_methods(
    cx: &Payments,
    consumer_id: ConsumerId,
    preferred: Option<PaymentMethodId>,
) -> Result<Vec<PaymentMethod>, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let mut methods = payment_methods::list(&mut conn, consumer_id).await?;
    if let Some(index) = preferred.and_then(|id| methods.iter().position(|method| method.id == id)) {
        methods[..=index].rotate_right(1);
    }
    Ok(methods)
}
