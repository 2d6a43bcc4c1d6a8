use jiff::Timestamp;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::domain::decline::{Decline, DeclineReason};

const AMOUNT: i64 = 1_000;

fn charge() -> Charge {
    charge_of(ChargeSubject::new(Purpose::Order, Uuid::nil()), Capture::Later)
}

fn charge_of(subject: ChargeSubject, capture: Capture) -> Charge {
    let at = Timestamp::UNIX_EPOCH;
    let terms = ChargeTerms {
        consumer_id: None,
        payment_method_id: Some(PaymentMethodId::new(at)),
        method_kind: MethodKind::Card,
        provider_customer_id: "cus_1".into(),
        provider_method_id: "pm_1".into(),
        amount: Money::usd(AMOUNT),
        capture,
    };
    Charge {
        provider_id: Some("pi_1".into()),
        ..Charge::new(ChargeId::new(at), subject, terms)
    }
}

fn declined() -> ChargeState {
    ChargeState::Declined(Decline::new(DeclineReason::CardDeclined))
}

fn any_state() -> impl Strategy<Value = ChargeState> {
    prop_oneof![
        Just(ChargeState::Pending),
        Just(ChargeState::RequiresAction),
        Just(ChargeState::Authorized),
        Just(ChargeState::Processing),
        Just(ChargeState::Succeeded),
        Just(declined()),
        Just(ChargeState::Voided),
        Just(ChargeState::Returned),
        Just(ChargeState::Disputed),
        Just(ChargeState::Refunded),
    ]
}

fn any_target() -> impl Strategy<Value = TargetState> {
    prop_oneof![
        Just(TargetState::Authorized),
        Just(TargetState::Captured),
        Just(TargetState::Released)
    ]
}

#[test]
fn a_failed_debit_is_returned_and_a_failed_card_payment_is_declined() {
    let mut debit = Charge {
        state: ChargeState::Processing,
        ..charge()
    };
    assert!(debit.apply_provider_state(declined()));
    assert_eq!(
        (&debit.state, debit.event()),
        (&ChargeState::Returned, Some(ChargeEvent::Returned))
    );

    let mut card = charge();
    assert!(card.apply_provider_state(declined()));
    assert_eq!(
        (card.event(), card.next_effect()),
        (Some(ChargeEvent::Declined), Some(ChargeEffect::Void))
    );
}

#[test]
fn an_expired_hold_has_an_event_and_a_released_hold_has_none() {
    let mut expired = Charge {
        state: ChargeState::Authorized,
        target_state: TargetState::Captured,
        ..charge()
    };
    assert!(expired.apply_provider_state(ChargeState::Voided));
    assert_eq!(expired.event(), Some(ChargeEvent::Declined));

    let mut released = Charge {
        state: ChargeState::Authorized,
        target_state: TargetState::Released,
        ..charge()
    };
    assert!(released.apply_provider_state(ChargeState::Voided));
    assert_eq!((released.event(), released.next_effect()), (None, None));
}

/// Every transition: each row lists the states that can follow a state.
#[test]
fn each_state_is_followed_only_by_states_that_can_happen() {
    use ChargeState::{
        Authorized, Disputed, Pending, Processing, Refunded, RequiresAction, Returned, Succeeded, Voided,
    };
    let all = [
        Pending,
        RequiresAction,
        Authorized,
        Processing,
        Succeeded,
        declined(),
        Voided,
        Refunded,
        Returned,
        Disputed,
    ];
    for (from, expected) in [
        (Pending, &all[1..]),
        (RequiresAction, &all[2..]),
        (Authorized, &[Succeeded, Voided, Refunded, Returned, Disputed]),
        (Processing, &[Succeeded, Refunded, Returned, Disputed]),
        (Succeeded, &[Refunded, Returned, Disputed]),
        // The bank can return a debit, or the cardholder dispute a charge, after it was refunded.
        (Refunded, &[Returned, Disputed]),
        (declined(), &[]),
        (Voided, &[]),
        (Returned, &[]),
        (Disputed, &[]),
    ] {
        let following: Vec<_> = all
            .iter()
            .filter(|&to| from.after(to.clone()).as_ref() == Some(to))
            .collect();
        assert_eq!(following, expected.iter().collect::<Vec<_>>(), "{from:?}");
        assert_eq!(from.is_final(), expected.is_empty(), "{from:?}");
    }
}

#[test]
fn a_charge_that_is_refunded_in_parts_is_refunded_when_nothing_is_left() {
    let mut charge = Charge {
        state: ChargeState::Succeeded,
        target_state: TargetState::Captured,
        ..charge()
    };
    assert!(charge.record_refunds(400));
    assert_eq!(
        (&charge.state, charge.refundable_minor_units()),
        (&ChargeState::Succeeded, 600)
    );
    assert!(!charge.record_refunds(300), "an outdated sum");
    charge.raise_target_state(TargetState::Released);
    assert_eq!(charge.next_effect(), Some(ChargeEffect::Refund));
    assert!(charge.record_refunds(AMOUNT + 1));
    assert_eq!(
        (&charge.state, charge.refunded_minor_units),
        (&ChargeState::Refunded, AMOUNT)
    );
    assert_eq!(charge.next_effect(), None);
}

#[test]
fn the_payment_of_a_debt_is_not_refunded_when_its_attempt_was_closed_too_late() {
    let mut payment = charge_of(ChargeSubject::new(Purpose::Debt, Uuid::nil()), Capture::Now);
    payment.raise_target_state(TargetState::Released);
    assert_eq!(payment.next_effect(), Some(ChargeEffect::Void));
    assert!(payment.apply_provider_state(ChargeState::Succeeded));
    assert_eq!(
        (payment.event(), payment.next_effect()),
        (Some(ChargeEvent::Settled), None)
    );
}

#[test]
fn a_charge_that_was_voided_without_an_object_is_reopened_by_an_object_that_can_take_money() {
    let voided = Charge {
        provider_id: None,
        state: ChargeState::Voided,
        target_state: TargetState::Released,
        ..charge()
    };
    for (reported, effect) in [
        (ChargeState::Pending, Some(ChargeEffect::Void)),
        (ChargeState::Authorized, Some(ChargeEffect::Void)),
        (ChargeState::Processing, None),
        (ChargeState::Succeeded, Some(ChargeEffect::Refund)),
    ] {
        let mut late = voided.clone();
        assert!(late.reopen(&reported), "{reported:?}");
        late.apply_provider_state(reported.clone());
        assert_eq!((&late.state, late.next_effect()), (&reported, effect));
    }
    assert!(!voided.clone().reopen(&ChargeState::Voided));
    assert!(!voided.clone().reopen(&declined()));
    let mut with_object = Charge {
        provider_id: Some("pi_1".into()),
        ..voided
    };
    let mut tombstone = Charge::tombstone(ChargeId::new(Timestamp::UNIX_EPOCH), with_object.subject);
    for charge in [&mut with_object, &mut tombstone] {
        assert!(!charge.reopen(&ChargeState::Authorized), "{charge:?}");
    }
}

#[test]
fn acceptance_after_cancellation_captures_nothing() {
    let mut charge = Charge {
        state: ChargeState::Authorized,
        ..charge()
    };
    charge.raise_target_state(TargetState::Released);
    assert!(!charge.raise_target_state(TargetState::Captured));
    assert_eq!(charge.next_effect(), Some(ChargeEffect::Void));
}

proptest! {
    #[test]
    fn both_states_only_move_forward(updates in prop::collection::vec((any_state(), any_target()), 0..12)) {
        let mut charge = charge();
        for (state, target) in updates {
            let before = charge.clone();
            charge.apply_provider_state(state);
            charge.raise_target_state(target);
            prop_assert!(charge.state.rank() >= before.state.rank());
            prop_assert!(charge.target_state >= before.target_state);
            if before.state.is_final() {
                prop_assert_eq!(&charge.state, &before.state, "an end state is final");
            }
        }
    }

    #[test]
    fn the_order_of_requests_does_not_matter(
        mut targets in prop::collection::vec(any_target(), 1..6),
        state in any_state(),
    ) {
        let apply = |targets: &[TargetState]| {
            let mut charge = Charge { state: state.clone(), ..charge() };
            for target in targets {
                charge.raise_target_state(*target);
            }
            charge
        };
        let unsorted = apply(&targets);
        targets.sort_unstable();
        let sorted = apply(&targets);
        prop_assert_eq!(unsorted.target_state, sorted.target_state);
        prop_assert_eq!(unsorted.next_effect(), sorted.next_effect());
    }

    #[test]
    fn a_repeated_update_changes_nothing(
        state in any_state(),
        new_state in any_state(),
        target in any_target(),
    ) {
        let mut charge = Charge { state, ..charge() };
        charge.apply_provider_state(new_state.clone());
        charge.raise_target_state(target);
        let once = charge.clone();
        prop_assert!(!charge.apply_provider_state(new_state) && !charge.raise_target_state(target));
        prop_assert_eq!(charge, once);
    }

    #[test]
    fn a_released_charge_is_never_captured(state in any_state(), target in any_target()) {
        let mut charge = Charge { state, ..charge() };
        charge.raise_target_state(TargetState::Released);
        charge.raise_target_state(target);
        prop_assert_ne!(charge.next_effect(), Some(ChargeEffect::Capture));
    }

    #[test]
    fn executing_due_effects_reaches_the_target_state(steps in prop::collection::vec(any_step(), 0..24)) {
        let mut model = Model::new();
        for step in steps {
            model.run(step);
        }
        model.settle();
        match model.charge.target_state {
            TargetState::Released => prop_assert!(!model.has_money(), "{model:?}"),
            TargetState::Captured => prop_assert!(model.provider_state != ChargeState::Authorized, "{model:?}"),
            TargetState::Authorized => prop_assert!(model.provider_state != ChargeState::Succeeded, "{model:?}"),
        }
    }
}

/// A model of the provider and the network: requests and webhooks can be delayed, and webhooks can be repeated.
#[derive(Debug)]
struct Model {
    charge: Charge,
    provider_state: ChargeState,
    /// The authorization was sent and has not arrived.
    in_flight: bool,
    /// The authorization's idempotency key was used, so it can have no effect.
    blocked: bool,
    webhooks: Vec<ChargeState>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    SendAuthorization,
    AuthorizationArrives { approved: bool },
    RaiseTargetState(TargetState),
    ReceiveWebhook(usize),
    ExecuteEffect,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::SendAuthorization),
        any::<bool>().prop_map(|approved| Step::AuthorizationArrives { approved }),
        any_target().prop_map(Step::RaiseTargetState),
        (0..8_usize).prop_map(Step::ReceiveWebhook),
        Just(Step::ExecuteEffect),
    ]
}

impl Model {
    fn new() -> Self {
        Self {
            charge: charge(),
            provider_state: ChargeState::Pending,
            in_flight: false,
            blocked: false,
            webhooks: Vec::new(),
        }
    }

    fn has_money(&self) -> bool {
        matches!(
            self.provider_state,
            ChargeState::Authorized | ChargeState::Succeeded
        )
    }

    fn set_provider_state(&mut self, state: ChargeState) {
        self.provider_state = state.clone();
        self.webhooks.push(state);
    }

    fn run(&mut self, step: Step) {
        match step {
            Step::SendAuthorization => {
                if !self.charge.is_released() && self.charge.state == ChargeState::Pending {
                    self.in_flight = true;
                }
            }
            Step::AuthorizationArrives { approved } => {
                let has_effect = std::mem::take(&mut self.in_flight) && !self.blocked;
                if has_effect && self.provider_state == ChargeState::Pending {
                    self.set_provider_state(if approved {
                        ChargeState::Authorized
                    } else {
                        declined()
                    });
                }
            }
            Step::RaiseTargetState(target) => {
                self.charge.raise_target_state(target);
            }
            Step::ReceiveWebhook(index) => {
                if let Some(state) = self.webhooks.get(index).cloned() {
                    self.charge.apply_provider_state(state);
                }
            }
            Step::ExecuteEffect => self.execute_effect(),
        }
    }

    /// Executes the due effect as `ops/execute_effect.rs` does: the provider rejects a call that its state does not allow,
    /// then its object is fetched.
    fn execute_effect(&mut self) {
        match (self.charge.next_effect(), &self.provider_state) {
            (Some(ChargeEffect::Capture), ChargeState::Authorized) => {
                self.set_provider_state(ChargeState::Succeeded);
            }
            (Some(ChargeEffect::Refund), ChargeState::Succeeded) => {
                self.set_provider_state(ChargeState::Refunded);
            }
            (Some(ChargeEffect::Void), ChargeState::Pending) => {
                self.blocked = true;
                self.set_provider_state(ChargeState::Voided);
            }
            (Some(ChargeEffect::Void), ChargeState::Authorized) => {
                self.set_provider_state(ChargeState::Voided);
            }
            _ => {}
        }
        self.charge.apply_provider_state(self.provider_state.clone());
    }

    /// Delivers the authorization, then executes effects until none is due.
    fn settle(&mut self) {
        self.run(Step::AuthorizationArrives { approved: true });
        for _ in 0..8 {
            self.execute_effect();
        }
    }
}
