use kit::InternalError;
use types::ConsumerId;

use crate::{Accounts, db::recipients, domain::recipient::RecipientAddress};

/// Returns the consumer with a phone number, or the only one who verified an email address.
pub async fn find_recipient(
    cx: &Accounts,
    address: &RecipientAddress,
) -> Result<Option<ConsumerId>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    match address {
        RecipientAddress::Phone(phone) => Ok(recipients::find_by_phone(&mut conn, phone).await?),
        RecipientAddress::Email(email) => {
            let consumers = recipients::list_by_verified_email(&mut conn, email).await?;
            // If several consumers verified the address, the intended one is unknown.
            Ok(<[ConsumerId; 1]>::try_from(consumers)
                .ok()
                .map(|[consumer]| consumer))
        }
    }
}
