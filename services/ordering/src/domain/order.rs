//! The life of an order: which state follows which, and by whose hand.

use std::fmt;

/// Where an order is in its life (architecture, "An order's life").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The saga is gathering what the order needs, or waits for the consumer's authentication.
    PaymentPending,
    /// Paid for, to be made later.
    Scheduled,
    /// Paid for, waiting for the store.
    Placed,
    /// The store will make it; the money is captured.
    Accepted,
    /// Being made.
    Preparing,
    /// On the counter.
    Ready,
    /// Picked up.
    Completed,
    /// Called off before the store accepted, or before it was made as nobody pays for it any more.
    Cancelled,
    /// Turned down by the store.
    Rejected,
    /// Never came to be; nothing is held.
    PaymentFailed,
}

/// Who acts on an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The person who ordered.
    Consumer,
    /// The store.
    Store,
    /// We: recovery, expiry, promotion.
    System,
}

impl Actor {
    /// As kept in the history.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Consumer => "consumer",
            Self::Store => "store",
            Self::System => "system",
        }
    }
}

/// What is done to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The saga found everything that an order as soon as possible needs.
    Place,
    /// The same for a later time.
    Schedule,
    /// The saga could not.
    Abandon,
    /// The make-time of a scheduled order has come.
    Promote,
    /// The store takes it on.
    Accept,
    /// The store turns it down.
    Reject,
    /// The making starts.
    Start,
    /// It stands on the counter.
    MarkReady,
    /// It was picked up.
    Complete,
    /// Called off.
    Cancel,
    /// What it was to be paid with is gone.
    LosePayment,
}

/// A step that the order's state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot {step:?} an order that is {from}")]
pub struct WrongState {
    /// The state that the order is in.
    pub from: Status,
    /// What was tried.
    pub step: Step,
}

impl Status {
    /// The state after a step.
    ///
    /// # Errors
    /// [`WrongState`] where the step is not allowed.
    pub const fn after(self, step: Step) -> Result<Self, WrongState> {
        match (self, step) {
            (Self::PaymentPending, Step::Place) | (Self::Scheduled, Step::Promote) => Ok(Self::Placed),
            (Self::PaymentPending, Step::Schedule) => Ok(Self::Scheduled),
            (Self::PaymentPending, Step::Abandon) => Ok(Self::PaymentFailed),
            (Self::Placed, Step::Accept) => Ok(Self::Accepted),
            (Self::Placed | Self::Scheduled | Self::Accepted | Self::Preparing, Step::Reject) => {
                Ok(Self::Rejected)
            }
            (Self::Accepted, Step::Start) => Ok(Self::Preparing),
            // A coffee is poured in no time: stores may skip a step that they have no button for.
            (Self::Accepted | Self::Preparing, Step::MarkReady) => Ok(Self::Ready),
            (Self::Ready, Step::Complete) => Ok(Self::Completed),
            (Self::Placed | Self::Scheduled, Step::Cancel) => Ok(Self::Cancelled),
            // As long as the store itself may turn it down: what stands on the counter is made.
            (Self::Placed | Self::Scheduled | Self::Accepted | Self::Preparing, Step::LosePayment) => {
                Ok(Self::Cancelled)
            }
            (from, step) => Err(WrongState { from, step }),
        }
    }

    /// Whether nothing can follow.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Cancelled | Self::Rejected | Self::PaymentFailed
        )
    }

    /// As kept in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PaymentPending => "payment_pending",
            Self::Scheduled => "scheduled",
            Self::Placed => "placed",
            Self::Accepted => "accepted",
            Self::Preparing => "preparing",
            Self::Ready => "ready",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::Rejected => "rejected",
            Self::PaymentFailed => "payment_failed",
        }
    }

    /// Every state.
    pub const ALL: [Self; 10] = [
        Self::PaymentPending,
        Self::Scheduled,
        Self::Placed,
        Self::Accepted,
        Self::Preparing,
        Self::Ready,
        Self::Completed,
        Self::Cancelled,
        Self::Rejected,
        Self::PaymentFailed,
    ];
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A text that is no state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown order status {0:?}")]
pub struct UnknownStatus(String);

impl std::str::FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(text: &str) -> Result<Self, UnknownStatus> {
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| UnknownStatus(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEPS: [Step; 11] = [
        Step::Place,
        Step::Schedule,
        Step::Abandon,
        Step::Promote,
        Step::Accept,
        Step::Reject,
        Step::Start,
        Step::MarkReady,
        Step::Complete,
        Step::Cancel,
        Step::LosePayment,
    ];

    #[test]
    fn a_usual_order_goes_all_the_way() {
        let steps = [
            Step::Place,
            Step::Accept,
            Step::Start,
            Step::MarkReady,
            Step::Complete,
        ];
        let end = steps.into_iter().try_fold(Status::PaymentPending, Status::after);
        assert_eq!(end, Ok(Status::Completed));
    }

    #[test]
    fn every_state_is_read_back() {
        for status in Status::ALL {
            assert_eq!(status.as_str().parse(), Ok(status));
        }
    }

    proptest! {
        #[test]
        fn nothing_follows_an_end(steps in proptest::collection::vec(0..STEPS.len(), 0..20)) {
            let mut status = Status::PaymentPending;
            for step in steps {
                match status.after(STEPS[step]) {
                    Ok(next) => {
                        prop_assert!(!status.is_final(), "{status} went on to {next}");
                        prop_assert!(next != Status::PaymentPending, "an order went back to the start");
                        status = next;
                    }
                    Err(wrong) => prop_assert_eq!(wrong.from, status),
                }
            }
        }

        #[test]
        fn an_accepted_order_cannot_be_cancelled(index in 0..Status::ALL.len()) {
            let status = Status::ALL[index];
            let cancellable = matches!(status, Status::Placed | Status::Scheduled);
            prop_assert_eq!(status.after(Step::Cancel).is_ok(), cancellable);
        }

        #[test]
        fn nothing_is_made_unpaid_and_what_is_made_stays_made(index in 0..Status::ALL.len()) {
            let status = Status::ALL[index];
            let lost = status.after(Step::LosePayment);
            let may_be_turned_down = status.after(Step::Reject).is_ok();
            prop_assert_eq!(lost.ok(), may_be_turned_down.then_some(Status::Cancelled));
        }
    }
}
