//! Changes of stored value that consumers are notified about.

use jiff::Timestamp;
use types::{ConsumerId, Money, OrderId};

use super::{
    message_text::{self as texts, FilledText},
    notification::{Notification, format_revoked_points},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValueChange {
    pub consumer_id: ConsumerId,
    /// Unique for the consumer: the id of the event, or the gift card.
    pub reference: String,
    pub at: Timestamp,
    pub kind: StoredValueChangeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredValueChangeKind {
    AutoReloaded {
        amount: Money,
        balance: Money,
    },
    AutoReloadFailed {
        amount: Money,
        /// A sentence.
        explanation: String,
        /// Otherwise, the rule is paused.
        is_turned_off: bool,
    },
    /// The message with a gift card was sent to its recipient.
    GiftCardDelivered {
        amount: Money,
    },
    /// The consumer got the message with a gift card.
    GiftCardReceived {
        amount: Money,
    },
    /// The bank returned the debit for stored value, and the consumer owes nothing.
    PurchaseReturned {
        amount: Money,
        /// Nothing was issued.
        was_pending: bool,
        /// It was an automatic reload, and its rule was paused.
        is_reload_paused: bool,
    },
    /// The payment succeeded after its consumer stopped waiting for it.
    PurchaseConfirmed {
        /// Charged.
        amount: Money,
        /// Otherwise, the value was added to JoePass or a card.
        is_gift_card: bool,
        /// The consumer knew that the bank debit was pending.
        was_pending: bool,
    },
    /// A refund could not be paid out and was added to JoePass.
    RefundCredited {
        amount: Money,
        order_id: Option<OrderId>,
        /// What the order had earned for the amount, unless it was revoked before.
        revoked_points: i64,
    },
}

impl StoredValueChangeKind {
    #[must_use]
    pub const fn order_id(&self) -> Option<OrderId> {
        match self {
            Self::RefundCredited { order_id, .. } => *order_id,
            _ => None,
        }
    }

    #[must_use]
    pub fn notification(&self) -> Notification {
        let (kind, text, amount) = match self {
            Self::AutoReloaded { amount, balance } => (
                "auto_reloaded",
                FilledText::new(texts::AUTO_RELOADED).with("balance", balance.to_string()),
                amount,
            ),
            Self::AutoReloadFailed {
                amount,
                explanation,
                is_turned_off,
            } => {
                let text = if *is_turned_off {
                    texts::AUTO_RELOAD_TURNED_OFF
                } else {
                    texts::AUTO_RELOAD_FAILED
                };
                let text = FilledText::new(text).with("explanation", explanation);
                ("auto_reload_failed", text, amount)
            }
            Self::GiftCardDelivered { amount } => (
                "gift_card_delivered",
                FilledText::new(texts::GIFT_CARD_DELIVERED),
                amount,
            ),
            Self::GiftCardReceived { amount } => (
                "gift_card_received",
                FilledText::new(texts::GIFT_CARD_RECEIVED),
                amount,
            ),
            Self::PurchaseReturned {
                amount,
                was_pending,
                is_reload_paused,
            } => {
                let text = if *was_pending {
                    texts::PENDING_PURCHASE_RETURNED
                } else {
                    texts::PURCHASE_RETURNED
                };
                let pause = is_reload_paused.then(|| FilledText::new(texts::AUTO_RELOADS_PAUSED));
                let text = FilledText::new(text).with_sentences("pause", pause.into_iter().collect());
                ("purchase_returned", text, amount)
            }
            Self::PurchaseConfirmed {
                amount,
                is_gift_card,
                was_pending,
            } => {
                let text = match (was_pending, is_gift_card) {
                    (true, true) => texts::BANK_PAYMENT_CONFIRMED_GIFT_CARD,
                    (true, false) => texts::BANK_PAYMENT_CONFIRMED,
                    (false, true) => texts::PURCHASE_CONFIRMED_GIFT_CARD,
                    (false, false) => texts::PURCHASE_CONFIRMED,
                };
                ("purchase_confirmed", FilledText::new(text), amount)
            }
            Self::RefundCredited {
                amount,
                revoked_points,
                ..
            } => {
                let text = FilledText::new(texts::REFUND_CREDITED);
                let text = text.with("points", format_revoked_points(*revoked_points));
                ("refund_credited", text, amount)
            }
        };
        let text = text.with("amount", amount.to_string());
        Notification { kind, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::message_text::CatalogTexts;

    #[test]
    fn a_returned_automatic_reload_says_that_reloads_are_paused() {
        let body = |is_reload_paused| {
            let returned = StoredValueChangeKind::PurchaseReturned {
                amount: Money::usd(2_500),
                was_pending: true,
                is_reload_paused,
            };
            returned.notification().text.render(&CatalogTexts::new()).body
        };
        assert_eq!(
            body(false),
            "We canceled the purchase. Your balance didn't change."
        );
        assert_eq!(
            body(true),
            "We canceled the purchase. Your balance didn't change. Automatic reloads are paused for a day."
        );
    }
}
