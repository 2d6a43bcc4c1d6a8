//! Debts: payments that a bank returned after the consumer had received what they paid for.

use jiff::Timestamp;
use secrecy::SecretString;
use types::limits::MIN_CARD_PART_CENTS;
use types::{ChargeId, ConsumerId, DebtId, Money, OrderId, RecoveryId};

use super::charge::{Charge, ChargeDescription, ChargeState, PaymentSource};
use super::subject::{ChargeSubject, Purpose};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debt {
    pub id: DebtId,
    /// The charge that the bank returned.
    pub charge_id: ChargeId,
    /// `None` after the consumer was removed.
    pub consumer_id: Option<ConsumerId>,
    pub amount: Money,
    pub penalty_fee: Money,
    pub created_at: Timestamp,
    pub recovered_at: Option<Timestamp>,
    /// When the debt was given up, because a card cannot pay so little.
    pub written_off_at: Option<Timestamp>,
}

/// A debt as "We have a problem" and the command line show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDebt {
    pub debt: Debt,
    /// What the returned charge paid for.
    pub subject: ChargeSubject,
    pub description: ChargeDescription,
}

/// The payments of a consumer that their bank returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedPayments {
    pub open: Vec<ListedDebt>,
    /// The orders whose debt was paid.
    pub recovered_orders: Vec<OrderId>,
}

/// The part of a returned charge that the consumer owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owed {
    pub amount: Money,
    pub has_penalty_fee: bool,
}

/// An attempt to recover a debt. Its charge has the attempt as its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recovery {
    pub id: RecoveryId,
    pub debt_id: DebtId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecoveryEnd {
    Succeeded,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoverFailedPayments {
    pub consumer_id: ConsumerId,
    pub debt_ids: Vec<DebtId>,
    /// A card, or a wallet.
    pub source: PaymentSource,
}

/// The result for one debt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecoveryResult {
    Recovered,
    NotRecovered {
        /// Code for clients.
        reason: &'static str,
        /// A sentence for the consumer.
        message: String,
    },
}

/// The results for the debts of a call, and what is still owed.
#[derive(Debug)]
pub struct RecoveredPayments {
    pub results: Vec<(DebtId, RecoveryResult)>,
    /// Of the first payment that the consumer has to authenticate. Never stored.
    pub client_secret: Option<SecretString>,
    pub open: Vec<ListedDebt>,
}

impl Debt {
    /// Returns the amount with the penalty fee.
    pub fn total(&self) -> Money {
        Money::new(
            self.amount.minor_units() + self.penalty_fee.minor_units(),
            self.amount.currency(),
        )
    }

    /// Returns whether the total is below the provider's minimum, so that no card can pay it.
    pub fn is_too_small(&self) -> bool {
        self.total().minor_units() < MIN_CARD_PART_CENTS
    }
}

impl Owed {
    /// Returns what the consumer owes for a returned charge, or `None` if nothing.
    ///
    /// An order that was made is owed as a whole: what was refunded of it was given back from our money. Of an order that was
    /// not made, and of stored value that was not issued, only what was refunded is owed, without a penalty fee. Value that was
    /// issued is taken back by gift-cards, which reports what was spent.
    pub fn for_return(charge: &Charge, is_fulfilled: bool) -> Option<Self> {
        let terms = charge.terms.as_ref()?;
        if charge.state != ChargeState::Returned {
            return None;
        }
        let refunded = charge.refunded_minor_units;
        let (owed, has_penalty_fee) = match charge.subject.purpose() {
            Purpose::Order if is_fulfilled && charge.refundable_minor_units() > 0 => {
                (terms.amount.minor_units(), true)
            }
            Purpose::Order => (refunded, false),
            Purpose::TopUp | Purpose::GiftCard | Purpose::CompanyCard if charge.is_released() => {
                (refunded, false)
            }
            Purpose::TopUp | Purpose::GiftCard | Purpose::CompanyCard | Purpose::Debt => (0, false),
        };
        (owed > 0).then_some(Self {
            amount: Money::new(owed, terms.amount.currency()),
            has_penalty_fee,
        })
    }

    /// Returns what the consumer owes for returned stored value of which this part was spent, or `None` if nothing. What was
    /// refunded is owed too: the consumer has both the refund and the returned debit.
    pub fn for_spent_value(charge: &Charge, spent_minor_units: i64) -> Option<Self> {
        let terms = charge.terms.as_ref()?;
        let spent = spent_minor_units.clamp(0, terms.amount.minor_units());
        let owed = spent + charge.refunded_minor_units;
        (owed > 0).then_some(Self {
            amount: Money::new(owed, terms.amount.currency()),
            has_penalty_fee: spent > 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use types::PaymentMethodId;
    use uuid::Uuid;

    use super::*;
    use crate::domain::charge::{Capture, ChargeTerms, TargetState};
    use crate::domain::payment_method::MethodKind;

    fn returned(purpose: Purpose, refunded_minor_units: i64) -> Charge {
        let terms = ChargeTerms {
            consumer_id: None,
            payment_method_id: Some(PaymentMethodId::new(Timestamp::UNIX_EPOCH)),
            method_kind: MethodKind::Bank,
            provider_customer_id: String::new(),
            provider_method_id: String::new(),
            amount: Money::usd(1_000),
            capture: Capture::Later,
        };
        Charge {
            state: ChargeState::Returned,
            refunded_minor_units,
            ..Charge::new(
                ChargeId::new(Timestamp::UNIX_EPOCH),
                ChargeSubject::new(purpose, Uuid::nil()),
                terms,
            )
        }
    }

    #[test]
    fn an_order_that_was_made_is_owed_with_a_fee_and_a_refund_without() {
        for (refunded, is_fulfilled, expected) in [
            (0, true, Some((1_000, true))),
            (0, false, None),
            (400, true, Some((1_000, true))),
            (400, false, Some((400, false))),
            (1_000, true, Some((1_000, false))),
            (1_000, false, Some((1_000, false))),
        ] {
            let owed = Owed::for_return(&returned(Purpose::Order, refunded), is_fulfilled);
            let owed = owed.map(|owed| (owed.amount.minor_units(), owed.has_penalty_fee));
            assert_eq!(owed, expected, "{refunded} {is_fulfilled}");
        }
    }

    #[test]
    fn of_stored_value_that_was_not_issued_the_refund_is_owed_without_a_fee() {
        for purpose in [Purpose::TopUp, Purpose::GiftCard, Purpose::CompanyCard] {
            let closed = Charge {
                target_state: TargetState::Released,
                ..returned(purpose, 1_000)
            };
            let owed = Owed::for_return(&closed, false).unwrap();
            assert_eq!((owed.amount.minor_units(), owed.has_penalty_fee), (1_000, false));
            let not_refunded = Charge {
                refunded_minor_units: 0,
                ..closed
            };
            assert_eq!(Owed::for_return(&not_refunded, false), None);
        }
    }

    #[test]
    fn of_stored_value_that_was_issued_the_spent_and_the_refunded_part_are_owed() {
        for (refunded, spent, expected) in [
            (0, 0, None),
            (0, 700, Some((700, true))),
            (0, 1_700, Some((1_000, true))),
            (400, 0, Some((400, false))),
            (400, 700, Some((1_100, true))),
        ] {
            let owed = Owed::for_spent_value(&returned(Purpose::TopUp, refunded), spent);
            let owed = owed.map(|owed| (owed.amount.minor_units(), owed.has_penalty_fee));
            assert_eq!(owed, expected, "{refunded} {spent}");
        }
    }

    #[test]
    fn charges_that_were_not_returned_and_issued_value_are_not_owed_here() {
        let succeeded = Charge {
            state: ChargeState::Succeeded,
            ..returned(Purpose::Order, 0)
        };
        assert_eq!(Owed::for_return(&succeeded, true), None);
        assert_eq!(Owed::for_return(&returned(Purpose::TopUp, 0), true), None);
    }
}
