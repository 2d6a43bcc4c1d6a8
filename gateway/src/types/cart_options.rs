//! The options and limits of a cart at a store.

use serde::Serialize;
use types::limits::{
    MAX_CART_LINES, MAX_LINE_QUANTITY, MAX_NOTE_CHARS, MAX_PROMO_CODE_CHARS, MAX_TIP_CENTS,
    MIN_CARD_PART_CENTS, TIP_PRESETS_PERCENT,
};
use utoipa::ToSchema;

use super::enums::PaymentType;
use super::store::{PickupOptions, Store};

/// All types that ordering accepts. The app offers Apple Pay and Google Pay on devices that have them.
const PAYMENT_TYPES: [PaymentType; 5] = [
    PaymentType::Card,
    PaymentType::Bank,
    PaymentType::Joebucks,
    PaymentType::Apple,
    PaymentType::Google,
];

/// The options and limits of a cart at a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CartOptions {
    pub(crate) store_id: String,
    /// Parts per million of the taxable amount.
    pub(crate) tax_rate_ppm: i64,
    /// How and when the order can be picked up.
    pub(crate) pickup: PickupOptions,
    pub(crate) tip: TipOptions,
    /// How orders can be paid.
    pub(crate) payment_types: Vec<PaymentType>,
    pub(crate) limits: CartLimits,
}

impl CartOptions {
    pub(crate) fn new(store: &Store, pickup: PickupOptions) -> Self {
        Self {
            store_id: store.store_id.clone(),
            tax_rate_ppm: store.tax_rate_ppm,
            pickup,
            tip: TipOptions {
                percents: TIP_PRESETS_PERCENT.to_vec(),
                max_amount: MAX_TIP_CENTS,
            },
            payment_types: PAYMENT_TYPES.to_vec(),
            limits: CartLimits {
                lines: MAX_CART_LINES,
                line_quantity: MAX_LINE_QUANTITY,
                min_card_amount: MIN_CARD_PART_CENTS,
                note_length: MAX_NOTE_CHARS,
                promo_code_length: MAX_PROMO_CODE_CHARS,
            },
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TipOptions {
    /// Suggested tips, in percent of the subtotal.
    pub(crate) percents: Vec<u32>,
    /// Cents. The limit of any tip is this amount or the subtotal, whichever is greater.
    pub(crate) max_amount: i64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CartLimits {
    /// Different items.
    pub(crate) lines: usize,
    /// Of one item.
    pub(crate) line_quantity: u32,
    /// The least, in cents, that a card or wallet pays of an order if stored value pays the rest.
    pub(crate) min_card_amount: i64,
    /// Characters of a note.
    pub(crate) note_length: usize,
    /// Characters of a promo code.
    pub(crate) promo_code_length: usize,
}
