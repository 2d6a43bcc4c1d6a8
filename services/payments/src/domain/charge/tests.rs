use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::domain::decline::Reason;

fn charge() -> Charge {
    let at = Timestamp::UNIX_EPOCH;
    Charge {
        id: ChargeId::new(at),
        order: OrderId::new(at),
        terms: None,
        provider_id: Some("pi_1".into()),
        state: State::Pending,
        wanted: Wanted::Hold,
        version: 1,
    }
}

fn declined() -> State {
    State::Declined(Decline::new(Reason::CardDeclined))
}

fn any_state() -> impl Strategy<Value = State> {
    prop_oneof![
        Just(State::Pending),
        Just(State::RequiresAction),
        Just(State::Authorized),
        Just(State::Processing),
        Just(State::Succeeded),
        Just(declined()),
        Just(State::Voided),
        Just(State::Returned),
        Just(State::Disputed),
        Just(State::Refunded),
    ]
}

fn any_wish() -> impl Strategy<Value = Wanted> {
    prop_oneof![Just(Wanted::Hold), Just(Wanted::Capture), Just(Wanted::Release)]
}

#[test]
fn a_failed_debit_came_back_while_a_failed_card_was_declined() {
    let mut debit = Charge {
        state: State::Processing,
        ..charge()
    };
    assert!(debit.observe(declined()));
    assert_eq!(
        (&debit.state, debit.fact()),
        (&State::Returned, Some(Fact::Returned))
    );

    let mut card = charge();
    assert!(card.observe(declined()));
    assert_eq!(
        (card.fact(), card.next_effect()),
        (Some(Fact::Declined), Some(Effect::Void))
    );
}

#[test]
fn a_hold_that_runs_out_is_told_and_a_release_is_not() {
    let mut lapsed = Charge {
        state: State::Authorized,
        wanted: Wanted::Capture,
        ..charge()
    };
    assert!(lapsed.observe(State::Voided));
    assert_eq!(lapsed.fact(), Some(Fact::Declined));

    let mut released = Charge {
        state: State::Authorized,
        wanted: Wanted::Release,
        ..charge()
    };
    assert!(released.observe(State::Voided));
    assert_eq!((released.fact(), released.next_effect()), (None, None));
}

#[test]
fn acceptance_after_cancellation_takes_nothing() {
    let mut charge = Charge {
        state: State::Authorized,
        ..charge()
    };
    charge.want(Wanted::Release);
    assert!(!charge.want(Wanted::Capture));
    assert_eq!(charge.next_effect(), Some(Effect::Void));
}

proptest! {
    #[test]
    fn both_sides_only_move_forward(news in prop::collection::vec((any_state(), any_wish()), 0..12)) {
        let mut charge = charge();
        for (seen, wish) in news {
            let before = charge.clone();
            charge.observe(seen);
            charge.want(wish);
            prop_assert!(charge.state.rank() >= before.state.rank() && charge.wanted >= before.wanted);
            if before.state.rank() == 4 {
                prop_assert_eq!(&charge.state, &before.state, "an end is an end");
            }
        }
    }

    #[test]
    fn wishes_may_come_in_any_order(mut wishes in prop::collection::vec(any_wish(), 1..6), state in any_state()) {
        let settle = |wishes: &[Wanted]| {
            let mut charge = Charge { state: state.clone(), ..charge() };
            for wish in wishes {
                charge.want(*wish);
            }
            charge
        };
        let one_way = settle(&wishes);
        wishes.sort_unstable();
        let sorted = settle(&wishes);
        prop_assert_eq!(one_way.wanted, sorted.wanted);
        prop_assert_eq!(one_way.next_effect(), sorted.next_effect());
    }

    #[test]
    fn the_same_news_twice_is_no_news(state in any_state(), seen in any_state(), wish in any_wish()) {
        let mut charge = Charge { state, ..charge() };
        charge.observe(seen.clone());
        charge.want(wish);
        let once = charge.clone();
        prop_assert!(!charge.observe(seen) && !charge.want(wish));
        prop_assert_eq!(charge, once);
    }

    #[test]
    fn what_is_released_is_never_taken(state in any_state(), wish in any_wish()) {
        let mut charge = Charge { state, ..charge() };
        charge.want(Wanted::Release);
        charge.want(wish);
        prop_assert_ne!(charge.next_effect(), Some(Effect::Capture));
    }

    /// Whatever happens in whatever order, carrying out what is due ends with what the order wanted.
    #[test]
    fn carrying_out_what_is_due_ends_as_wanted(steps in prop::collection::vec(any_step(), 0..24)) {
        let mut world = World::new();
        for step in steps {
            world.take(step);
        }
        world.settle();
        match world.ours.wanted {
            Wanted::Release => prop_assert!(!world.holds_money(), "{world:?}"),
            Wanted::Capture => prop_assert!(world.theirs != State::Authorized, "{world:?}"),
            Wanted::Hold => prop_assert!(world.theirs != State::Succeeded, "{world:?}"),
        }
    }
}

/// A model of provider and network: requests and news may be late, and news may be repeated.
#[derive(Debug)]
struct World {
    ours: Charge,
    theirs: State,
    /// Our request has been sent and not yet come to effect there.
    in_flight: bool,
    /// The key is used up: the request can have no effect any more.
    barred: bool,
    news: Vec<State>,
}

#[derive(Debug, Clone)]
enum Step {
    Send,
    Arrive(bool),
    Want(Wanted),
    Hear(usize),
    CarryOut,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        Just(Step::Send),
        any::<bool>().prop_map(Step::Arrive),
        any_wish().prop_map(Step::Want),
        (0..8_usize).prop_map(Step::Hear),
        Just(Step::CarryOut),
    ]
}

impl World {
    fn new() -> Self {
        Self {
            ours: charge(),
            theirs: State::Pending,
            in_flight: false,
            barred: false,
            news: Vec::new(),
        }
    }

    fn holds_money(&self) -> bool {
        matches!(self.theirs, State::Authorized | State::Succeeded)
    }

    fn becomes(&mut self, state: State) {
        self.theirs = state.clone();
        self.news.push(state);
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Send if self.ours.is_open() && self.ours.state == State::Pending => self.in_flight = true,
            Step::Send => {}
            Step::Arrive(good) => {
                if std::mem::take(&mut self.in_flight) && !self.barred && self.theirs == State::Pending {
                    self.becomes(if good { State::Authorized } else { declined() });
                }
            }
            Step::Want(wish) => {
                self.ours.want(wish);
            }
            Step::Hear(which) => {
                if let Some(seen) = self.news.get(which).cloned() {
                    self.ours.observe(seen);
                }
            }
            Step::CarryOut => self.carry_out(),
        }
    }

    /// As `ops/carry_out` does it: the provider refuses what its state does not allow, then its object is fetched.
    fn carry_out(&mut self) {
        match (self.ours.next_effect(), &self.theirs) {
            (Some(Effect::Capture), State::Authorized) => self.becomes(State::Succeeded),
            (Some(Effect::Refund), State::Succeeded) => self.becomes(State::Refunded),
            (Some(Effect::Void), State::Pending) => {
                self.barred = true;
                self.becomes(State::Voided);
            }
            (Some(Effect::Void), State::Authorized) => self.becomes(State::Voided),
            _ => {}
        }
        self.ours.observe(self.theirs.clone());
    }

    /// Lets everything that was sent arrive, and carries out what is due until nothing is.
    fn settle(&mut self) {
        self.take(Step::Arrive(true));
        for _ in 0..8 {
            self.carry_out();
        }
    }
}
