//! The secret that the page's card element needs, so that a card number goes from the browser to the provider only.

use secrecy::SecretString;
use types::ConsumerId;

use super::customer::{self, CustomerError};
use crate::Payments;

/// Creates a set-up intent of the consumer's customer and answers its secret.
///
/// # Errors
/// [`CustomerError`].
pub async fn create_card_secret(cx: &Payments, caller: ConsumerId) -> Result<SecretString, CustomerError> {
    let asked = customer::ask(cx, caller, |customer| async move {
        cx.provider.create_card_secret(&customer).await
    });
    let (_, secret) = asked.await?.map_err(kit::InternalError::from)?;
    Ok(secret)
}
