use types::ConsumerId;

use super::customer::{CustomerError, call_with_customer};
use super::get_publishable_key::get_publishable_key;
use crate::Payments;
use crate::domain::payment_method::CardSecret;

/// Creates a set-up intent for the page's card element, which sends the card number from the browser to the provider.
pub async fn create_card_secret(cx: &Payments, consumer_id: ConsumerId) -> Result<CardSecret, CustomerError> {
    let (_, client_secret) = call_with_customer(cx, consumer_id, |customer_id| async move {
        cx.provider.create_card_secret(&customer_id).await
    })
    .await?;
    Ok(CardSecret {
        client_secret,
        publishable_key: get_publishable_key(cx),
    })
}
