use types::Money;

use super::{PurchaseError, error};
use crate::GiftCards;

/// Checks the amount of a purchase (specification section 5).
///
/// # Errors
/// `AMOUNT_TOO_SMALL`, `AMOUNT_TOO_LARGE`.
pub(crate) fn check_amount(cx: &GiftCards, amount: Money) -> Result<(), PurchaseError> {
    let (minimum, maximum) = (cx.rules.minimum(), cx.rules.maximum());
    if amount.minor_units() < minimum.minor_units() {
        Err(error::amount_too_small(minimum))
    } else if amount.minor_units() > maximum.minor_units() {
        Err(error::amount_too_large(maximum))
    } else {
        Ok(())
    }
}
