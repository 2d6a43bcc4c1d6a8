//! Changes of stored value that consumers are notified about.

use jiff::Timestamp;
use types::{ConsumerId, Money, OrderId};

use super::notification::Notification;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredValueChange {
    pub consumer_id: ConsumerId,
    /// Unique: the id of the event.
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
    },
    /// The message with a gift card was sent to its recipient.
    GiftCardDelivered {
        amount: Money,
    },
    /// The bank returned the debit for stored value.
    PurchaseReturned {
        amount: Money,
        /// What was spent, and is owed now.
        shortfall: Money,
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
        let (kind, title, body) = match self {
            Self::AutoReloaded { amount, balance } => (
                "auto_reloaded",
                format!("We added {amount} to JoePass"),
                format!("Your balance is {balance}. You can pause automatic reloads in your wallet anytime."),
            ),
            Self::AutoReloadFailed { amount, explanation } => (
                "auto_reload_failed",
                format!("We couldn't add {amount} to JoePass"),
                format!("{explanation} Automatic reloads are paused for a day."),
            ),
            Self::GiftCardDelivered { amount } => (
                "gift_card_delivered",
                "Your gift card was sent".to_owned(),
                format!("The {amount} gift card is on its way to its recipient."),
            ),
            Self::PurchaseReturned { amount, shortfall } if shortfall.is_positive() => (
                "purchase_returned",
                format!("Your bank returned {amount}"),
                format!("We took back what was left. You owe {shortfall} that was already spent."),
            ),
            Self::PurchaseReturned { amount, .. } => (
                "purchase_returned",
                format!("Your bank returned {amount}"),
                "We took the amount off your balance. You don't owe anything.".to_owned(),
            ),
            Self::PurchaseConfirmed {
                amount,
                is_gift_card,
                was_pending,
            } => (
                "purchase_confirmed",
                if *was_pending {
                    format!("Your {amount} bank payment arrived")
                } else {
                    format!("We found your {amount} payment")
                },
                if *is_gift_card {
                    "Your gift card is all set."
                } else {
                    "The money is in your wallet, ready to use."
                }
                .to_owned(),
            ),
            Self::RefundCredited { amount, .. } => (
                "refund_credited",
                format!("We added {amount} to JoePass"),
                "Your bank or card didn't accept the refund, so you got it as JoePass balance.".to_owned(),
            ),
        };
        Notification { kind, title, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_shows_the_debt() {
        let returned = |shortfall| StoredValueChangeKind::PurchaseReturned {
            amount: Money::usd(2_500),
            shortfall: Money::usd(shortfall),
        };
        assert_eq!(
            returned(1_000).notification().body,
            "We took back what was left. You owe $10.00 that was already spent."
        );
        assert_eq!(
            returned(0).notification().body,
            "We took the amount off your balance. You don't owe anything."
        );
    }
}
