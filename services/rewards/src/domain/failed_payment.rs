//! Payments that a bank returned.

use jiff::Timestamp;
use types::{ConsumerId, Money, OrderId};

use super::notification::Notification;

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
        let amount = self.amount;
        match &self.kind {
            FailedPaymentKind::Returned { .. } => Notification {
                kind: "payment_returned",
                title: format!("Your bank returned {amount}"),
                body: "The payment for your order didn't go through.".to_owned(),
            },
            FailedPaymentKind::Debt { penalty_fee, name } => Notification {
                kind: "debt_created",
                title: format!("You owe {}", total(amount, *penalty_fee)),
                body: explain_debt(amount, *penalty_fee, name),
            },
        }
    }
}

fn total(amount: Money, fee: Money) -> Money {
    Money::new(amount.minor_units() + fee.minor_units(), amount.currency())
}

fn explain_debt(amount: Money, fee: Money, name: &str) -> String {
    let paid_for = match name {
        "" => String::new(),
        name => format!(" for {name}"),
    };
    let fee = if fee.is_positive() {
        format!(" There's a {fee} fee.")
    } else {
        String::new()
    };
    format!("Your bank returned {amount}{paid_for}.{fee} Pay it to order again.")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

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
            let Notification { title, body, .. } = payment.notification();
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
