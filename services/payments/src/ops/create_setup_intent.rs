use types::ConsumerId;

use super::get_publishable_key::get_publishable_key;
use super::start_setup::{StartSetupError, start_setup};
use crate::Payments;
use crate::domain::payment_method::{MethodKind, SetupIntent};

/// Creates a setup intent, with which the provider saves a card without charging it. The client's card element confirms it and
/// sends the card number from the browser to the provider.
pub async fn create_setup_intent(
    cx: &Payments,
    consumer_id: ConsumerId,
) -> Result<SetupIntent, StartSetupError> {
    Ok(SetupIntent {
        client_secret: start_setup(cx, consumer_id, MethodKind::Card, None).await?,
        publishable_key: get_publishable_key(cx),
    })
}
