//! A consumer's payment methods.

use types::{ConsumerId, PaymentMethodId};

use crate::Payments;
use crate::db::methods;
use crate::domain::method::Method;

/// The default first, then the newest. `first` is put before all others and marked as the default.
///
/// # Errors
/// The database's.
pub async fn list_methods(
    cx: &Payments,
    caller: ConsumerId,
    first: Option<PaymentMethodId>,
) -> Result<Vec<Method>, kit::InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let mut all = methods::list(&mut conn, caller).await?;
    if let Some(at) = first.and_then(|first| all.iter().position(|method| method.id == first)) {
        all[..=at].rotate_right(1);
        for (place, method) in all.iter_mut().enumerate() {
            method.is_default = place == 0;
        }
    }
    Ok(all)
}
