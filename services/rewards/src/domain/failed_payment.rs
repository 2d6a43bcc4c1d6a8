//! Payments that a bank returned.

use jiff::Timestamp;
use types::{ConsumerId, Money, OrderId};

use super::{
    message_text::{self as texts, FilledText},
    notification::Notification,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedPayment {
    pub consumer_id: ConsumerId,
    /// Unique for the charge or the debt.
    pub reference: String,
    pub at: Timestamp,
    pub amount: Money,
    pub kind: FailedPaymentKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailedPaymentKind {
    /// The bank returned the payment of an order.
    Returned {
        order_id: OrderId,
        /// The order was canceled or rejected before. Otherwise another event follows: it is canceled, or becomes a debt.
        order_ended: bool,
    },
    /// The consumer owes the amount and the fee.
    Debt {
        penalty_fee: Money,
        /// Name of the store, or "JoePass". May be empty.
        name: String,
        /// `None` if the payment was for stored value.
        order_id: Option<OrderId>,
        /// The order was of a removed consumer, whose phone number the consumer has.
        is_of_removed_consumer: bool,
        /// What the bank returned. A debt for stored value is the part that was spent or refunded.
        returned: Money,
        /// What was refunded before; `None` in events of earlier releases.
        refunded: Option<Money>,
    },
}

/// Returns the reference of the message that the bank returned the payment of an order. The messages that the order is
/// canceled, or that the consumer owes the amount, have the same reference and replace it.
#[must_use]
pub fn returned_reference(order_id: OrderId) -> String {
    format!("order:{order_id}:payment_returned")
}

impl FailedPayment {
    /// Returns the order that the message links to: one of the consumer.
    #[must_use]
    pub const fn order_id(&self) -> Option<OrderId> {
        match self.kind {
            FailedPaymentKind::Returned { order_id, .. } => Some(order_id),
            FailedPaymentKind::Debt {
                is_of_removed_consumer: true,
                ..
            } => None,
            FailedPaymentKind::Debt { order_id, .. } => order_id,
        }
    }

    #[must_use]
    pub fn notification(&self) -> Notification {
        let (kind, text) = match &self.kind {
            FailedPaymentKind::Returned { .. } => {
                ("payment_returned", FilledText::new(texts::PAYMENT_RETURNED))
            }
            FailedPaymentKind::Debt {
                penalty_fee,
                name,
                order_id,
                returned,
                refunded,
                ..
            } => {
                let text = match order_id {
                    Some(_) => FilledText::new(texts::DEBT_CREATED),
                    None => self.with_spent(FilledText::new(texts::DEBT_CREATED_FOR_PURCHASE), *refunded),
                };
                let text = text
                    .with("total", total(self.amount, *penalty_fee).to_string())
                    .with("name", name)
                    .with("returned", returned.to_string())
                    .with("refunded", unless_zero(refunded.unwrap_or_default()))
                    .with("fee", unless_zero(*penalty_fee));
                ("debt_created", text)
            }
        };
        let text = text.with("amount", self.amount.to_string());
        Notification { kind, text }
    }

    /// Adds which part of a debt for stored value was spent: what was not refunded.
    fn with_spent(&self, text: FilledText, refunded: Option<Money>) -> FilledText {
        let spent = refunded.map(|refunded| self.amount.minus(refunded).unwrap_or_default());
        let unknown = if spent.is_none() { self.amount } else { Money::ZERO };
        text.with("spent", unless_zero(spent.unwrap_or_default()))
            .with("spent_or_refunded", unless_zero(unknown))
    }
}

/// Returns the text of an amount; empty for nothing.
fn unless_zero(amount: Money) -> String {
    if amount.is_positive() {
        amount.to_string()
    } else {
        String::new()
    }
}

fn total(amount: Money, fee: Money) -> Money {
    Money::new(amount.minor_units() + fee.minor_units(), amount.currency())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::message_text::{CatalogTexts, MessageText};

    #[test]
    fn a_debt_names_its_amounts_and_what_was_not_paid() {
        let order_id = Some(OrderId::from_uuid(Uuid::nil()));
        let debt = |fee, name: &str, order_id, refunded: Option<i64>| {
            let payment = FailedPayment {
                consumer_id: ConsumerId::from_uuid(Uuid::nil()),
                reference: String::new(),
                at: Timestamp::UNIX_EPOCH,
                amount: Money::usd(1_250),
                kind: FailedPaymentKind::Debt {
                    penalty_fee: Money::usd(fee),
                    name: name.to_owned(),
                    order_id,
                    is_of_removed_consumer: false,
                    returned: Money::usd(2_500),
                    refunded: refunded.map(Money::usd),
                },
            };
            let MessageText { title, body } = payment.notification().text.render(&CatalogTexts::new());
            (title, body)
        };
        assert_eq!(
            debt(500, "Sunset & Maltman", order_id, Some(0)),
            (
                "You owe $17.50".to_owned(),
                "Your bank returned $25.00 for Sunset & Maltman. There's a $5.00 fee. Pay it to order again."
                    .to_owned()
            )
        );
        assert_eq!(
            debt(0, "", order_id, None),
            (
                "You owe $12.50".to_owned(),
                "Your bank returned $25.00. Pay it to order again.".to_owned()
            )
        );
        assert_eq!(
            debt(0, "Sunset & Maltman", order_id, Some(1_250)).1,
            "Your bank returned $25.00 for Sunset & Maltman. We'd already refunded $12.50. Pay it to order again."
        );
        for (refunded, explanation) in [
            (
                None,
                "We took back what was left, but $12.50 was already spent or refunded.",
            ),
            (
                Some(0),
                "We took back what was left, but you'd already spent $12.50.",
            ),
            (
                Some(450),
                "We took back what was left, but you'd already spent $8.00. We'd already refunded $4.50.",
            ),
            (Some(1_250), "We'd already refunded $12.50."),
        ] {
            assert_eq!(
                debt(500, "JoePass", None, refunded).1,
                format!(
                    "Your bank returned $25.00 for JoePass. {explanation} There's a $5.00 fee. Pay it to order again."
                )
            );
        }
    }
}
