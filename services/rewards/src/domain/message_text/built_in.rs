//! All texts of messages, as they are without a catalog.

use Presence::{MayBeEmpty, Omittable, Required};

/// A text that catalogs can replace.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInText {
    /// Name of the text in catalogs.
    pub kind: &'static str,
    /// Empty for a sentence that is inserted into other messages.
    pub title: &'static str,
    pub body: &'static str,
    pub(super) placeholders: &'static [(&'static str, Presence)],
}

/// Rule for a placeholder in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// The title or the body contains it.
    Required,
    /// It always has a value. A text may leave it out.
    Omittable,
    /// It may have no value, so it is only allowed in brackets.
    MayBeEmpty,
}

macro_rules! built_in_texts {
    ($($name:ident = $kind:literal, $title:literal, $body:literal, [$($placeholder:literal: $presence:ident),*];)*) => {
        $(pub(crate) const $name: &BuiltInText = &BuiltInText {
            kind: $kind,
            title: $title,
            body: $body,
            placeholders: &[$(($placeholder, $presence)),*],
        };)*

        /// All texts.
        pub const BUILT_IN_TEXTS: &[&BuiltInText] = &[$($name),*];
    };
}

built_in_texts! {
    WELCOME = "welcome", "Welcome!", "You'll earn points with every order.", [];
    POINTS_EARNED = "points_earned",
        "You earned {points}",
        "Thanks for [ordering at {store}|your order]! You now have {balance}.",
        ["points": Required, "balance": Omittable, "store": MayBeEmpty];
    INVITATION_FRIEND = "invitation_friend",
        "You earned {points}",
        "Thanks for joining with an invitation.",
        ["points": Required];
    INVITATION_REFERRER = "invitation_referrer",
        "You earned {points}",
        "A friend you invited just picked up their first order.",
        ["points": Required];

    ORDER_READY = "order_ready",
        "Your order is ready",
        "Pick it up [at {store}|now].[ Your number is {number}.]",
        ["store": MayBeEmpty, "number": MayBeEmpty];
    ORDER_DELAYED = "order_delayed",
        "Your order will be ready {time}",
        "[{store} needs a little longer|It's taking longer than planned]. We're sorry.",
        ["time": Required, "store": MayBeEmpty];
    ORDER_DELAYED_WITH_REASON = "order_delayed_with_reason",
        "Your order will be ready {time}",
        "[{store}: ]{reason}.",
        ["time": Required, "reason": Required, "store": MayBeEmpty];
    ORDER_MOVED = "order_moved",
        "New pickup time: ready {time}",
        "[{store}|The store] changed your pickup time. We're sorry.",
        ["time": Required, "store": MayBeEmpty];
    ORDER_MOVED_WITH_REASON = "order_moved_with_reason",
        "New pickup time: ready {time}",
        "[{store}: ]{reason}.",
        ["time": Required, "reason": Required, "store": MayBeEmpty];
    PAYMENT_FAILED = "payment_failed",
        "Your payment didn't go through",
        "We couldn't charge {amount} for your order[ at {store}]. Please pay at the store.",
        ["amount": Required, "store": MayBeEmpty];

    ORDER_REJECTED = "order_rejected",
        "Your order couldn't be made",
        "[{store}|The store] couldn't make your order. {refund}[ You can use promo code {code} again.]",
        ["refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];
    ORDER_REJECTED_WITH_REASON = "order_rejected_with_reason",
        "Your order couldn't be made",
        "[{store}: ]{reason}. {refund}[ You can use promo code {code} again.]",
        ["reason": Required, "refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];
    ORDER_NOT_ACCEPTED = "order_not_accepted",
        "Your order was canceled",
        "[{store}|The store] didn't accept your order in time. {refund}[ You can use promo code {code} again.]",
        ["refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];
    ORDER_HOLD_EXPIRED = "order_hold_expired",
        "Your order was canceled",
        "Your bank's hold on the payment expired. {refund}[ You can use promo code {code} again.]",
        ["refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];
    ORDER_PAYMENT_RETURNED = "order_payment_returned",
        "Your order was canceled",
        "Your bank returned the payment. {refund}[ You can use promo code {code} again.]",
        ["refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];
    ORDER_PAYMENT_FAILED = "order_payment_failed",
        "Your order was canceled",
        "Your payment didn't go through. {refund}[ You can use promo code {code} again.]",
        ["refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];
    ORDER_NOT_PLACED = "order_not_placed",
        "Your order was canceled",
        "We couldn't place your order. {refund}[ You can use promo code {code} again.]",
        ["refund": Required, "store": MayBeEmpty, "code": MayBeEmpty];

    BACK_ON_BALANCE = "back_on_balance",
        "", "{amount} is back on your {balance}.", ["amount": Required, "balance": Required];
    REFUND_TO_CARD = "refund_to_card", "", "We'll refund {amount} to your card.", ["amount": Required];
    REFUND_TO_BANK = "refund_to_bank",
        "", "We'll refund {amount} to your bank account.", ["amount": Required];
    NOT_CHARGED = "not_charged", "", "You weren't charged.", [];
    CARD_NOT_CHARGED = "card_not_charged", "", "Your card wasn't charged.", [];

    REFUND_DONE = "refund_done",
        "Your {amount} refund is on its way",
        "It can take a few days to show up on your statement.[ We took back {points}.]",
        ["amount": Required, "points": MayBeEmpty];
    REFUND_DONE_TO_BALANCE = "refund_done_to_balance",
        "We refunded {amount}",
        "It's back on your [{balance}|balance].[ We took back {points}.]",
        ["amount": Required, "balance": MayBeEmpty, "points": MayBeEmpty];
    REFUND_CREDITED = "refund_credited",
        "We added {amount} to JoePass",
        "Your bank or card didn't accept the refund, so you got it as JoePass balance.[ We took back {points}.]",
        ["amount": Required, "points": MayBeEmpty];

    AUTO_RELOADED = "auto_reloaded",
        "We added {amount} to JoePass",
        "Your balance is {balance}. You can pause automatic reloads in your wallet anytime.",
        ["amount": Required, "balance": Omittable];
    AUTO_RELOAD_FAILED = "auto_reload_failed",
        "We couldn't add {amount} to JoePass",
        "[{explanation} ]Automatic reloads are paused for a day.",
        ["amount": Required, "explanation": MayBeEmpty];
    AUTO_RELOAD_TURNED_OFF = "auto_reload_turned_off",
        "We couldn't add {amount} to JoePass",
        "[{explanation} ]Automatic reloads are off. You can turn them on again in your wallet.",
        ["amount": Required, "explanation": MayBeEmpty];
    GIFT_CARD_DELIVERED = "gift_card_delivered",
        "Your gift card was sent",
        "The {amount} gift card is on its way to its recipient.",
        ["amount": Omittable];
    GIFT_CARD_RECEIVED = "gift_card_received",
        "You got a gift card",
        "It's worth {amount}. Open the text or email we sent you to add it to your wallet.",
        ["amount": Omittable];
    PURCHASE_RETURNED = "purchase_returned",
        "Your bank returned {amount}",
        "We took the amount off your balance.[ {pause}]",
        ["amount": Required, "pause": MayBeEmpty];
    PENDING_PURCHASE_RETURNED = "pending_purchase_returned",
        "Your bank returned {amount}",
        "We canceled the purchase. Your balance didn't change.[ {pause}]",
        ["amount": Required, "pause": MayBeEmpty];
    AUTO_RELOADS_PAUSED = "auto_reloads_paused",
        "", "Automatic reloads are paused for a day.", [];
    PURCHASE_CONFIRMED = "purchase_confirmed",
        "We found your {amount} payment",
        "The money is in your wallet, ready to use.",
        ["amount": Required];
    PURCHASE_CONFIRMED_GIFT_CARD = "purchase_confirmed_gift_card",
        "We found your {amount} payment",
        "Your gift card is all set.",
        ["amount": Required];
    BANK_PAYMENT_CONFIRMED = "bank_payment_confirmed",
        "Your {amount} bank payment arrived",
        "The money is in your wallet, ready to use.",
        ["amount": Required];
    BANK_PAYMENT_CONFIRMED_GIFT_CARD = "bank_payment_confirmed_gift_card",
        "Your {amount} bank payment arrived",
        "Your gift card is all set.",
        ["amount": Required];

    PAYMENT_RETURNED = "payment_returned",
        "Your bank returned {amount}",
        "The payment for your order didn't go through.",
        ["amount": Required];
    DEBT_CREATED = "debt_created",
        "You owe {total}",
        "Your bank returned {returned}[ for {name}].[ We'd already refunded {refunded}.][ There's a {fee} fee.] Pay it to order again.",
        ["total": Required, "amount": Omittable, "returned": Omittable, "name": MayBeEmpty, "refunded": MayBeEmpty, "fee": MayBeEmpty];
    DEBT_CREATED_FOR_PURCHASE = "debt_created_for_purchase",
        "You owe {total}",
        "Your bank returned {returned}[ for {name}].[ We took back what was left, but you'd already spent {spent}.][ We'd already refunded {refunded}.][ We took back what was left, but {spent_or_refunded} was already spent or refunded.][ There's a {fee} fee.] Pay it to order again.",
        ["total": Required, "returned": Omittable, "amount": Omittable, "name": MayBeEmpty, "spent": MayBeEmpty, "refunded": MayBeEmpty, "spent_or_refunded": MayBeEmpty, "fee": MayBeEmpty];
}
