use types::ConsumerId;

use super::customer::{CustomerError, call_with_customer};
use super::get_publishable_key::get_publishable_key;
use crate::Payments;
use crate::domain::payment_method::SetupIntent;

/// Creates a setup intent, with which the provider saves a card without charging it. The page's card element confirms it and
/// sends the card number from the browser to the provider.
pub async fn create_setup_intent(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<SetupIntent, CustomerError> {
    let (_, client_secret) = call_with_customer(cx, consumer_id, |customer_id| async move {
        cx.provider.create_setup_intent(&customer_id).await
    })
    .await?;
    Ok(SetupIntent {
        client_secret,
        publishable_key: get_publishable_key(cx),
    })
}
