use types::ConsumerId;

use super::redeem_gift_card::{LinkError, link_card};
use crate::{
    GiftCards,
    domain::{gift_card::GiftCardKind, wallet::Balance},
};

/// Adds a physical gift card to the consumer's wallet by its number and, if it has one, its PIN. Returns the card
/// again if the consumer already has it.
///
/// The gateway limits the number of attempts.
///
/// # Errors
/// [`LinkError::CodeNotValid`] if the number or the PIN is wrong, or the card belongs to another consumer.
pub async fn link_gift_card(
    cx: &GiftCards,
    consumer_id: ConsumerId,
    number: &str,
    pin: &str,
) -> Result<Balance, LinkError> {
    link_card(cx, consumer_id, number, |card| {
        let is_pin_right = card
            .pin_hash
            .as_ref()
            .is_none_or(|hash| *hash == cx.secret.card_pin_hash(card.id, pin));
        card.kind == GiftCardKind::Physical.as_str() && is_pin_right
    })
    .await
}
