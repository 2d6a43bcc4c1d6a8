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
        /// What the bank returned. A debt for stored value is the part that was spent.
        returned: Money,
    },
}

/// Returns the reference of the message that the bank returned the payment of an order. The messages that the order is
/// canceled, or that the consumer owes the amount, have the same reference and replace it.
#[must_use]
pub fn returned_reference(order_id: OrderId) -> String {
    format!("order:{order_id}:payment_returned")
}

impl FailedPayment {
    #[must_use]
    pub const fn order_id(&self) -> Option<OrderId> {
        match self.kind {
            FailedPaymentKind::Returned { order_id, .. } => Some(order_id),
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
            } => {
                let fee = if penalty_fee.is_positive() {
                    penalty_fee.to_string()
                } else {
                    String::new()
                };
                let text = match order_id {
                    Some(_) => FilledText::new(texts::DEBT_CREATED),
                    None => FilledText::new(texts::DEBT_CREATED_FOR_PURCHASE)
                        .with("returned", returned.to_string()),
                };
                let text = text
                    .with("total", total(self.amount, *penalty_fee).to_string())
                    .with("name", name)
                    .with("fee", fee);
                ("debt_created", text)
            }
        };
        let text = text.with("amount", self.amount.to_string());
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
        let order_id = Some(OrderId::from_uuid(Uuid::nil()));
        let debt = |fee, name: &str, order_id| {
            let payment = FailedPayment {
                consumer_id: ConsumerId::from_uuid(Uuid::nil()),
                reference: String::new(),
                at: Timestamp::UNIX_EPOCH,
                amount: Money::usd(1_250),
                kind: FailedPaymentKind::Debt {
                    penalty_fee: Money::usd(fee),
                    name: name.to_owned(),
                    order_id,
                    returned: Money::usd(2_500),
                },
            };
            let MessageText { title, body } = payment.notification().text.render(&CatalogTexts::new());
            (title, body)
        };
        assert_eq!(
            debt(500, "Sunset & Maltman", order_id),
            (
                "You owe $17.50".to_owned(),
                "Your bank returned $12.50 for Sunset & Maltman. There's a $5.00 fee. Pay it to order again."
                    .to_owned()
            )
        );
        assert_eq!(
            debt(0, "", order_id),
            (
                "You owe $12.50".to_owned(),
                "Your bank returned $12.50. Pay it to order again.".to_owned()
            )
        );
        assert_eq!(
            debt(500, "JoePass", None).1,
            "Your bank returned $25.00 for JoePass. We took back what was left, and $12.50 was already spent or \
             refunded. There's a $5.00 fee. Pay it to order again."
        );
    }
}
