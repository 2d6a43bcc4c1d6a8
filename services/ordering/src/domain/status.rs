//! The state machine of an order.

use types::text_enum;

text_enum! {
    /// The status of an order.
    pub enum Status {
        /// The saga acquires resources, or waits for the consumer to authenticate the payment.
        PaymentPending = "payment_pending",
        /// Paid. The store prepares it later.
        Scheduled = "scheduled",
        /// Paid. Waits for the store to accept it.
        Placed = "placed",
        /// The store accepted it; the money is captured.
        Accepted = "accepted",
        Preparing = "preparing",
        /// Waiting to be picked up.
        Ready = "ready",
        Completed = "completed",
        /// Canceled by the consumer before acceptance, or by the system.
        Cancelled = "cancelled",
        /// Rejected by the store.
        Rejected = "rejected",
        /// Never placed; no resources are held.
        PaymentFailed = "payment_failed",
    }
}

text_enum! {
    /// Who changes an order.
    pub enum Actor {
        Consumer = "consumer",
        Store = "store",
        /// Background jobs: recovery, expiry and promotion.
        System = "system",
    }
}

/// A step of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The saga acquired all resources of an unscheduled order.
    Place,
    /// The saga acquired all resources of a scheduled order.
    Schedule,
    /// The saga failed.
    Fail,
    /// The store has to start a scheduled order.
    Promote,
    Accept,
    Reject,
    Start,
    MarkReady,
    Complete,
    /// The store marked the order neither as ready nor as picked up, long after its promised time.
    CompleteUnmarked,
    Cancel,
    /// The payment was lost: the hold expired or the bank returned the debit.
    CancelUnpaid,
    /// The consumer is at the store. Does not change the status.
    Arrive,
    /// The store promises a later time. Does not change the status.
    Delay,
    /// The store promises another time for a scheduled order. Does not change the status.
    Reschedule,
    /// The consumer sends feedback. Does not change the status.
    Rate,
}

/// The status of the order does not allow the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot {step:?} an order that is {from}")]
pub struct InvalidTransition {
    pub from: Status,
    pub step: Step,
}

impl Status {
    /// Returns the status after the step.
    ///
    /// # Errors
    /// [`InvalidTransition`] if this status does not allow the step.
    pub const fn after(self, step: Step) -> Result<Self, InvalidTransition> {
        match (self, step) {
            (Self::PaymentPending, Step::Place) | (Self::Scheduled, Step::Promote) => Ok(Self::Placed),
            (Self::PaymentPending, Step::Schedule) => Ok(Self::Scheduled),
            (Self::PaymentPending, Step::Fail) => Ok(Self::PaymentFailed),
            (Self::Placed, Step::Accept) => Ok(Self::Accepted),
            (Self::Placed | Self::Scheduled | Self::Accepted | Self::Preparing, Step::Reject) => {
                Ok(Self::Rejected)
            }
            (Self::Accepted, Step::Start) => Ok(Self::Preparing),
            // Stores may skip Start: a filter coffee is ready at once.
            (Self::Accepted | Self::Preparing, Step::MarkReady) => Ok(Self::Ready),
            (Self::Ready, Step::Complete) | (Self::Accepted | Self::Preparing, Step::CompleteUnmarked) => {
                Ok(Self::Completed)
            }
            (Self::Placed | Self::Scheduled, Step::Cancel) => Ok(Self::Cancelled),
            // The same states as Reject: a ready order is already prepared.
            (Self::Placed | Self::Scheduled | Self::Accepted | Self::Preparing, Step::CancelUnpaid) => {
                Ok(Self::Cancelled)
            }
            // An order can be rated as soon as it was accepted, because stores may not mark every order that is ready or was
            // picked up, and the app asks an hour after it was placed (specification section 4).
            (Self::Placed | Self::Accepted | Self::Preparing, Step::Arrive | Step::Delay)
            | (Self::Ready, Step::Arrive)
            | (Self::Scheduled, Step::Reschedule)
            | (Self::Accepted | Self::Preparing | Self::Ready | Self::Completed, Step::Rate) => Ok(self),
            (from, step) => Err(InvalidTransition { from, step }),
        }
    }

    /// Returns whether this status is the result of the step, so that repeating the step succeeds without a change.
    #[must_use]
    pub const fn is_result_of(self, step: Step) -> bool {
        matches!(
            (self, step),
            (Self::Accepted, Step::Accept)
                | (Self::Preparing, Step::Start)
                | (Self::Ready, Step::MarkReady)
                | (Self::Completed, Step::Complete | Step::CompleteUnmarked)
                | (Self::Cancelled, Step::Cancel | Step::CancelUnpaid)
                | (Self::Rejected, Step::Reject)
        )
    }

    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Cancelled | Self::Rejected | Self::PaymentFailed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEPS: [Step; 16] = [
        Step::Place,
        Step::Schedule,
        Step::Fail,
        Step::Promote,
        Step::Accept,
        Step::Reject,
        Step::Start,
        Step::MarkReady,
        Step::Complete,
        Step::CompleteUnmarked,
        Step::Cancel,
        Step::CancelUnpaid,
        Step::Arrive,
        Step::Delay,
        Step::Reschedule,
        Step::Rate,
    ];

    #[test]
    fn an_order_passes_from_payment_pending_to_completed() {
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
    fn every_status_parses_from_its_text() {
        for &status in Status::ALL {
            assert_eq!(status.as_str().parse(), Ok(status));
        }
    }

    #[test]
    fn unknown_texts_are_errors() {
        let error = "lost".parse::<Status>().unwrap_err();
        assert_eq!(error.to_string(), r#"unknown Status: "lost""#);
        assert!("courier".parse::<Actor>().is_err());
    }

    proptest! {
        #[test]
        fn final_statuses_do_not_change(steps in proptest::collection::vec(0..STEPS.len(), 0..20)) {
            let mut status = Status::PaymentPending;
            for step in steps {
                match status.after(STEPS[step]) {
                    Ok(next) if next == status => {
                        prop_assert!(matches!(STEPS[step], Step::Arrive | Step::Delay | Step::Reschedule | Step::Rate));
                    }
                    Ok(next) => {
                        prop_assert!(!status.is_final(), "{status} changed to {next}");
                        prop_assert!(next != Status::PaymentPending, "{status} changed back to {next}");
                        status = next;
                    }
                    Err(error) => prop_assert_eq!(error.from, status),
                }
            }
        }

        #[test]
        fn consumers_can_cancel_only_before_acceptance(index in 0..Status::ALL.len()) {
            let status = Status::ALL[index];
            let is_cancellable = matches!(status, Status::Placed | Status::Scheduled);
            prop_assert_eq!(status.after(Step::Cancel).is_ok(), is_cancellable);
        }

        #[test]
        fn orders_are_completed_without_a_mark_only_after_acceptance_and_before_they_are_ready(index in 0..Status::ALL.len()) {
            let status = Status::ALL[index];
            let completed = status.after(Step::CompleteUnmarked).ok();
            let is_unmarked = matches!(status, Status::Accepted | Status::Preparing);
            prop_assert_eq!(completed, is_unmarked.then_some(Status::Completed));
        }

        #[test]
        fn unpaid_orders_are_canceled_exactly_where_the_store_can_reject_them(index in 0..Status::ALL.len()) {
            let status = Status::ALL[index];
            let cancelled = status.after(Step::CancelUnpaid).ok();
            let is_rejectable = status.after(Step::Reject).is_ok();
            prop_assert_eq!(cancelled, is_rejectable.then_some(Status::Cancelled));
        }
    }
}
