//! Adds the limits on client input to the document. utoipa's attributes accept literals only, and the limits are
//! constants that the services share.

use serde_json::Value;
use types::limits::{
    MAX_AUTO_RELOAD_CENTS, MAX_AUTO_RELOAD_THRESHOLD_CENTS, MAX_CART_LINES, MAX_CLIENT_ID_CHARS,
    MAX_DELAY_MINUTES, MAX_EMAIL_BYTES, MAX_FEEDBACK_CHARS, MAX_GIFT_MESSAGE_CHARS,
    MAX_IDEMPOTENCY_KEY_CHARS, MAX_INBOX_MESSAGES, MAX_LATITUDE_DEGREES, MAX_LINE_CHOICES, MAX_LINE_QUANTITY,
    MAX_LONGITUDE_DEGREES, MAX_MAP_SPAN_DEGREES, MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_PAGE_ITEMS,
    MAX_PICKUP_NAME_CHARS, MAX_PROMO_CODE_CHARS, MAX_PURCHASE_CENTS, MAX_REJECT_REASON_CHARS,
    MAX_SEARCH_TERM_CHARS, MAX_SPECIAL_DAY_NAME_CHARS, MAX_TIP_CENTS, MAX_USUAL_ITEM_NAME_CHARS,
    MAX_VEHICLE_CHARS, MIN_AUTO_RELOAD_CENTS, MIN_IDEMPOTENCY_KEY_CHARS, MIN_PURCHASE_CENTS,
    SIGN_IN_CODE_DIGITS,
};
use utoipa::Number;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::{Object, OpenApi, RefOr, Schema};

/// Maximum of a field that may also be as high as the order's subtotal. OpenAPI has no keyword for such a rule.
const MAXIMUM_OR_SUBTOTAL: &str = "x-maximum-or-subtotal";

/// Smallest and largest permitted value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    Chars(usize, usize),
    Items(usize, usize),
    Count(u32, u32),
    Degrees(i32, i32),
    Cents(i64, i64),
    /// 1 for yes, -1 for no, 0 if unanswered.
    Answer,
    /// From zero to this many cents, or to the subtotal if that is higher.
    Tip(i64),
}
use Limit::{Answer, Cents, Chars, Count, Degrees, Items, Tip};

/// Limits by schema and field.
const FIELDS: &[(&str, &str, Limit)] = &[
    ("Cart", "cartId", Chars(0, MAX_CLIENT_ID_CHARS)),
    ("Cart", "items", Items(0, MAX_CART_LINES)),
    ("CartPromo", "code", Chars(0, MAX_PROMO_CODE_CHARS)),
    ("Cart", "tipAmount", Tip(MAX_TIP_CENTS)),
    ("CartLine", "lineId", Chars(0, MAX_CLIENT_ID_CHARS)),
    ("CartLine", "quantity", Count(1, MAX_LINE_QUANTITY)),
    ("CartLine", "choices", Items(0, MAX_LINE_CHOICES)),
    ("CartLine", "note", Chars(0, MAX_NOTE_CHARS)),
    ("AddUsualItemRequest", "choices", Items(0, MAX_LINE_CHOICES)),
    ("AddUsualItemRequest", "note", Chars(0, MAX_NOTE_CHARS)),
    ("AddUsualItemRequest", "name", Chars(0, MAX_USUAL_ITEM_NAME_CHARS)),
    (
        "PlaceOrderRequest",
        "idempotencyKey",
        Chars(MIN_IDEMPOTENCY_KEY_CHARS, MAX_IDEMPOTENCY_KEY_CHARS),
    ),
    ("PlaceOrderRequest", "vehicle", Chars(0, MAX_VEHICLE_CHARS)),
    ("PlaceOrderRequest", "pickupName", Chars(0, MAX_PICKUP_NAME_CHARS)),
    (
        "AddFundsRequest",
        "amount",
        Cents(MIN_PURCHASE_CENTS, MAX_PURCHASE_CENTS),
    ),
    (
        "AddFundsRequest",
        "idempotencyKey",
        Chars(MIN_IDEMPOTENCY_KEY_CHARS, MAX_IDEMPOTENCY_KEY_CHARS),
    ),
    (
        "BuyGiftCardRequest",
        "amount",
        Cents(MIN_PURCHASE_CENTS, MAX_PURCHASE_CENTS),
    ),
    (
        "BuyGiftCardRequest",
        "idempotencyKey",
        Chars(MIN_IDEMPOTENCY_KEY_CHARS, MAX_IDEMPOTENCY_KEY_CHARS),
    ),
    ("BuyGiftCardRequest", "message", Chars(0, MAX_GIFT_MESSAGE_CHARS)),
    ("Recipient", "name", Chars(0, MAX_NAME_CHARS)),
    (
        "PurchaseCompanyGiftCardRequest",
        "amount",
        Cents(MIN_PURCHASE_CENTS, MAX_PURCHASE_CENTS),
    ),
    (
        "PurchaseCompanyGiftCardRequest",
        "idempotencyKey",
        Chars(MIN_IDEMPOTENCY_KEY_CHARS, MAX_IDEMPOTENCY_KEY_CHARS),
    ),
    (
        "SetAutoReloadRequest",
        "amount",
        Cents(MIN_AUTO_RELOAD_CENTS, MAX_AUTO_RELOAD_CENTS),
    ),
    (
        "SetAutoReloadRequest",
        "threshold",
        Cents(0, MAX_AUTO_RELOAD_THRESHOLD_CENTS),
    ),
    ("RedeemCounterPinRequest", "amount", Cents(1, MAX_PURCHASE_CENTS)),
    (
        "RedeemCounterPinRequest",
        "idempotencyKey",
        Chars(MIN_IDEMPOTENCY_KEY_CHARS, MAX_IDEMPOTENCY_KEY_CHARS),
    ),
    ("RecoverFailedPaymentsRequest", "paymentIntentIds", Items(1, 50)),
    ("UserArrivedRequest", "vehicle", Chars(0, MAX_VEHICLE_CHARS)),
    ("RejectOrderRequest", "reason", Chars(1, MAX_REJECT_REASON_CHARS)),
    ("DelayOrderRequest", "minutes", Count(1, MAX_DELAY_MINUTES)),
    ("DelayOrderRequest", "reason", Chars(0, MAX_REJECT_REASON_CHARS)),
    (
        "RescheduleOrderRequest",
        "reason",
        Chars(0, MAX_REJECT_REASON_CHARS),
    ),
    ("SpecialDay", "name", Chars(0, MAX_SPECIAL_DAY_NAME_CHARS)),
    ("SendOrderFeedbackRequest", "rating", Count(1, 5)),
    ("SendOrderFeedbackRequest", "feedbackOrderReady", Answer),
    ("SendOrderFeedbackRequest", "feedbackOrderCorrect", Answer),
    (
        "SendOrderFeedbackRequest",
        "message",
        Chars(0, MAX_FEEDBACK_CHARS),
    ),
    ("SendUserFeedbackRequest", "message", Chars(1, MAX_FEEDBACK_CHARS)),
    ("SetNameRequest", "firstName", Chars(1, MAX_NAME_CHARS)),
    ("SetNameRequest", "lastName", Chars(0, MAX_NAME_CHARS)),
    ("SaveSettingsRequest", "vehicle", Chars(0, MAX_VEHICLE_CHARS)),
    ("SetNameRequest", "email", Chars(0, MAX_EMAIL_BYTES)),
    (
        "VerifyRequest",
        "code",
        Chars(SIGN_IN_CODE_DIGITS, SIGN_IN_CODE_DIGITS),
    ),
    ("MarkAsSeenRequest", "messageIds", Items(0, MAX_INBOX_MESSAGES)),
    (
        "RemoveMessagesRequest",
        "messageIds",
        Items(1, MAX_INBOX_MESSAGES),
    ),
];

/// Limits by name of the query parameter, in every operation that has it.
const PARAMETERS: &[(&str, Limit)] = &[
    ("take", Count(0, MAX_PAGE_ITEMS)),
    ("term", Chars(0, MAX_SEARCH_TERM_CHARS)),
    ("lat", Degrees(-MAX_LATITUDE_DEGREES, MAX_LATITUDE_DEGREES)),
    ("lon", Degrees(-MAX_LONGITUDE_DEGREES, MAX_LONGITUDE_DEGREES)),
    ("span", Degrees(0, MAX_MAP_SPAN_DEGREES)),
];

#[derive(Debug, thiserror::Error)]
pub(super) enum LimitError {
    #[error("there is no field {0}")]
    UnknownField(String),
    #[error("the schema has another type than its limit {0:?}")]
    WrongType(Limit),
}

pub(super) fn add_to(document: &mut OpenApi) -> Result<(), LimitError> {
    for (schema, field, limit) in FIELDS {
        let unknown = || LimitError::UnknownField(format!("{schema}.{field}"));
        limit.set(property(document, schema, field).ok_or_else(unknown)?)?;
    }
    let items = document.paths.paths.values_mut();
    let operations = items.flat_map(|item| [&mut item.get, &mut item.post]).flatten();
    for parameter in operations
        .filter_map(|operation| operation.parameters.as_mut())
        .flatten()
    {
        let found = PARAMETERS.iter().find(|(name, _)| parameter.name == *name);
        if let (Some((_, limit)), Some(RefOr::T(schema))) = (found, &mut parameter.schema) {
            limit.set(schema)?;
        }
    }
    Ok(())
}

fn property<'a>(document: &'a mut OpenApi, schema: &str, field: &str) -> Option<&'a mut Schema> {
    let schema = document.components.as_mut()?.schemas.get_mut(schema)?;
    let RefOr::T(Schema::Object(object)) = schema else {
        return None;
    };
    match object.properties.get_mut(field)? {
        RefOr::T(property) => Some(property),
        RefOr::Ref(_) => None,
    }
}

impl Limit {
    fn set(self, schema: &mut Schema) -> Result<(), LimitError> {
        match (self, schema) {
            (Items(min, max), Schema::Array(array)) => {
                array.min_items = (min > 0).then_some(min);
                array.max_items = Some(max);
            }
            (Chars(min, max), Schema::Object(object)) => {
                object.min_length = (min > 0).then_some(min);
                object.max_length = Some(max);
            }
            (Count(min, max), Schema::Object(object)) => set_range(object, min, max),
            (Answer, Schema::Object(object)) => set_range(object, -1, 1),
            (Degrees(min, max), Schema::Object(object)) => set_range(object, min, max),
            (Cents(min, max), Schema::Object(object)) => {
                object.minimum = Some(Number::Int(isize::try_from(min).unwrap_or_default()));
                object.maximum = Some(Number::Int(isize::try_from(max).unwrap_or(isize::MAX)));
            }
            (Tip(max), Schema::Object(object)) => {
                object.minimum = Some(Number::UInt(0));
                object.extensions = Some(Extensions::from_iter([(MAXIMUM_OR_SUBTOTAL, Value::from(max))]));
            }
            (limit, _) => return Err(LimitError::WrongType(limit)),
        }
        Ok(())
    }
}

fn set_range<N: Into<Number>>(object: &mut Object, min: N, max: N) {
    object.minimum = Some(min.into());
    object.maximum = Some(max.into());
}
