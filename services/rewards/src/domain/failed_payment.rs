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
    Returned { order_id: OrderId },
    /// The consumer owes the amount and the fee.
    Debt {
        penalty_fee: Money,
        /// Name of the store, or "JoePass". May be empty.
        name: String,
    },
}

impl FailedPayment {
    #[must_use]
    pub const fn order_id(&self) -> Option<OrderId> {
        match self.kind {
            FailedPaymentKind::Returned { order_id } => Some(order_id),
            FailedPaymentKind::Debt { .. } => None,
        }
    }

    #[must_use]
    pub fn notification(&self) -> Notification {
        let (kind, text) = match &self.kind {
            FailedPaymentKind::Returned { .. } => {
                ("payment_returned", FilledText::new(texts::PAYMENT_RETURNED))
            }
            FailedPaymentKind::Debt { penalty_fee, name } => {
                let fee = if penalty_fee.is_positive() {
                    penalty_fee.to_string()
                } else {
                    String::new()
                };
                let text = FilledText::new(texts::DEBT_CREATED)
                    .with("total", total(self.amount, *penalty_fee))
                    .with("name", name)
                    .with("fee", fee);
                ("debt_created", text)
            }
        };
        let text = text.with("amount", self.amount);
        Notification { kind, text }
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
        let debt = |fee, name: &str| {
            let payment = FailedPayment {
                consumer_id: ConsumerId::from_uuid(Uuid::nil()),
                reference: String::new(),
                at: Timestamp::UNIX_EPOCH,
                amount: Money::usd(1_250),
                kind: FailedPaymentKind::Debt {
                    penalty_fee: Money::usd(fee),
                    name: name.to_owned(),
                },
            };
            let MessageText { title, body } = payment.notification().text.render(&CatalogTexts::new());
            (title, body)
        };
        assert_eq!(
            debt(500, "Sunset & Maltman"),
            (
                "You owe $17.50".to_owned(),
                "Your bank returned $12.50 for Sunset & Maltman. There's a $5.00 fee. Pay it to order again."
                    .to_owned()
            )
        );
        assert_eq!(
            debt(0, ""),
            (
                "You owe $12.50".to_owned(),
                "Your bank returned $12.50. Pay it to order again.".to_owned()
            )
        );
    }
}
