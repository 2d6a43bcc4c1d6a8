//! Limits on what clients send. The gateway publishes them in its OpenAPI document and the services enforce them.

/// Ids that clients create: of carts and of cart lines.
pub const MAX_CLIENT_ID_CHARS: usize = 64;
pub const MAX_CART_LINES: usize = 50;
pub const MAX_LINE_QUANTITY: u32 = 20;
pub const MAX_LINE_CHOICES: usize = 100;
/// The note on a cart line.
pub const MAX_NOTE_CHARS: usize = 200;
/// Usual items of a consumer.
pub const MAX_USUAL_ITEMS: usize = 20;
pub const MAX_USUAL_ITEM_NAME_CHARS: usize = 60;
/// A promo code as typed, before it is normalized.
pub const MAX_PROMO_CODE_CHARS: usize = 40;
/// The maximum tip is this amount in cents or the subtotal, whichever is greater.
pub const MAX_TIP_CENTS: i64 = 10_000;
/// Suggested tips in percent of the subtotal.
pub const TIP_PRESETS_PERCENT: [u32; 4] = [0, 10, 15, 20];

/// The least that a card or a wallet is charged for the part of an order that stored value does not pay, in cents. The
/// provider's minimum.
pub const MIN_CARD_PART_CENTS: i64 = 50;

pub const MIN_IDEMPOTENCY_KEY_CHARS: usize = 8;
pub const MAX_IDEMPOTENCY_KEY_CHARS: usize = 128;

pub const MAX_VEHICLE_CHARS: usize = 120;
/// The name called out at the counter.
pub const MAX_PICKUP_NAME_CHARS: usize = 60;
/// The reason for which a store rejects or delays an order.
pub const MAX_REJECT_REASON_CHARS: usize = 200;
/// The name of a day with special hours.
pub const MAX_SPECIAL_DAY_NAME_CHARS: usize = 60;
/// Maximum delay of an order, from the promised time or from now.
pub const MAX_DELAY_MINUTES: u32 = 120;

/// Minimum charge of cards, bank accounts and wallets for stored value, in cents (specification section 9).
pub const MIN_PURCHASE_CENTS: i64 = 1_000;
/// Maximum price of one purchase of stored value, in cents.
pub const MAX_PURCHASE_CENTS: i64 = 50_000;
/// Maximum of one balance, in cents.
pub const MAX_BALANCE_CENTS: i64 = 200_000;
/// An automatic reload, in cents.
pub const MIN_AUTO_RELOAD_CENTS: i64 = 1_000;
pub const MAX_AUTO_RELOAD_CENTS: i64 = 50_000;
/// Maximum threshold of automatic reloads, in cents.
pub const MAX_AUTO_RELOAD_THRESHOLD_CENTS: i64 = 20_000;
/// Days from now until a pause of automatic reloads ends.
pub const MAX_AUTO_RELOAD_PAUSE_DAYS: u32 = 31;
/// Days from now until a gift card is delivered.
pub const MAX_DELIVERY_DAYS: u32 = 365;
/// The message on a gift card.
pub const MAX_GIFT_MESSAGE_CHARS: usize = 300;
/// A gift card code as typed, before it is normalized.
pub const MAX_GIFT_CODE_CHARS: usize = 40;
pub const COUNTER_PIN_DIGITS: usize = 4;

/// Feedback about the app or about an order.
pub const MAX_FEEDBACK_CHARS: usize = 1000;

/// A first or last name.
pub const MAX_NAME_CHARS: usize = 60;
pub const MAX_EMAIL_BYTES: usize = 254;
pub const SIGN_IN_CODE_DIGITS: usize = 6;
/// The uploaded file of a photo.
pub const MAX_PHOTO_BYTES: usize = 8 << 20;

pub const MAX_PAGE_ITEMS: u32 = 100;
/// Message ids in one call.
pub const MAX_INBOX_MESSAGES: usize = 100;
pub const MAX_SEARCH_TERM_CHARS: usize = 100;

/// Largest absolute latitude and longitude of a position.
pub const MAX_LATITUDE_DEGREES: i32 = 90;
pub const MAX_LONGITUDE_DEGREES: i32 = 180;
/// Half the height of a map view.
pub const MAX_MAP_SPAN_DEGREES: i32 = 90;

/// Returns whether `key` has a length that idempotency keys may have.
#[must_use]
pub fn is_idempotency_key(key: &str) -> bool {
    (MIN_IDEMPOTENCY_KEY_CHARS..=MAX_IDEMPOTENCY_KEY_CHARS).contains(&key.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idempotency_keys_have_8_to_128_characters() {
        for (length, valid) in [(0, false), (7, false), (8, true), (128, true), (129, false)] {
            assert_eq!(is_idempotency_key(&"é".repeat(length)), valid, "{length}");
        }
    }
}
