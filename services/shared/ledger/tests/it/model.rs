//! The ledger against a model of it: any sequence of movements ends as plain arithmetic says, and any interleaving of
//! them ends in books that balance.

use std::{collections::HashMap, sync::Arc};

use futures::future::join_all;
use ledger::{AccountId, Overdraft, PostError, Posting};
use proptest::prelude::*;

use crate::books::{BANK, Books, IN_FLIGHT, moving};

const ACCOUNTS: usize = 4;

/// A movement that may be asked for, perhaps not for the first time.
#[derive(Debug, Clone, Copy)]
struct Step {
    reference: u8,
    from: Place,
    to: Place,
    amount: i64,
    clawback: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Bank,
    InFlight,
    Consumer(usize),
}

fn places() -> impl Strategy<Value = Place> {
    prop_oneof![
        1 => Just(Place::Bank),
        1 => Just(Place::InFlight),
        4 => (0..ACCOUNTS).prop_map(Place::Consumer),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (
        0_u8..40,
        places(),
        places(),
        1_i64..100,
        prop::bool::weighted(0.1),
    )
        .prop_map(|(reference, from, to, amount, clawback)| Step {
            reference,
            from,
            to,
            amount,
            clawback,
        })
        .prop_filter("an amount moves between two accounts", |step| {
            step.from != step.to
        });
    prop::collection::vec(step, 1..60)
}

/// What a step comes to.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Moved,
    Repeated,
    Insufficient(i64),
    Taken,
}

/// The ledger in twenty lines.
#[derive(Default)]
struct Model {
    held: HashMap<Place, i64>,
    known: HashMap<u8, (Place, Place, i64)>,
}

impl Model {
    fn apply(&mut self, step: Step) -> Outcome {
        if let Some(earlier) = self.known.get(&step.reference) {
            let same = *earlier == (step.from, step.to, step.amount);
            return if same { Outcome::Repeated } else { Outcome::Taken };
        }
        let available = self.held.get(&step.from).copied().unwrap_or_default();
        if matches!(step.from, Place::Consumer(_)) && available < step.amount && !step.clawback {
            return Outcome::Insufficient(available);
        }
        *self.held.entry(step.from).or_default() -= step.amount;
        *self.held.entry(step.to).or_default() += step.amount;
        self.known
            .insert(step.reference, (step.from, step.to, step.amount));
        Outcome::Moved
    }
}

/// The same consumers on a real ledger.
struct Subject {
    books: Books,
    consumers: Vec<AccountId>,
}

impl Subject {
    async fn open() -> Self {
        let books = Books::open().await;
        let mut consumers = Vec::new();
        for _ in 0..ACCOUNTS {
            consumers.push(books.account_with(0).await);
        }
        Self { books, consumers }
    }

    fn account(&self, place: Place) -> AccountId {
        match place {
            Place::Bank => BANK,
            Place::InFlight => IN_FLIGHT,
            Place::Consumer(number) => self.consumers[number],
        }
    }

    async fn apply(&self, step: Step) -> Outcome {
        let reference = step.reference.to_string();
        let overdraft = if step.clawback {
            Overdraft::Allowed
        } else {
            Overdraft::Refused
        };
        let (from, to) = (self.account(step.from), self.account(step.to));
        match self
            .books
            .post(Posting {
                overdraft,
                ..moving(&reference, from, to, step.amount)
            })
            .await
        {
            Ok(posted) if posted.repeated => Outcome::Repeated,
            Ok(_) => Outcome::Moved,
            Err(PostError::Insufficient { available }) => Outcome::Insufficient(available),
            Err(PostError::ReferenceTaken(_)) => Outcome::Taken,
            Err(error) => panic!("{error}"),
        }
    }
}

async fn one_after_another(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let (subject, mut model) = (Subject::open().await, Model::default());
    for step in steps {
        prop_assert_eq!(subject.apply(step).await, model.apply(step), "{:?}", step);
    }
    for (number, account) in subject.consumers.iter().enumerate() {
        let expected = model
            .held
            .get(&Place::Consumer(number))
            .copied()
            .unwrap_or_default();
        prop_assert_eq!(subject.books.balance(*account).await, expected);
        let lines = subject.books.lines(*account, 100, 0).await;
        prop_assert_eq!(lines.iter().map(|line| line.amount).sum::<i64>(), expected);
    }
    prop_assert_eq!(
        subject.books.audit().await,
        i64::try_from(model.known.len()).unwrap()
    );
    subject.books.close().await;
    Ok(())
}

async fn all_at_once(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let subject = Arc::new(Subject::open().await);
    let clawbacks = steps.iter().any(|step| step.clawback);
    let running = steps.iter().map(|step| {
        let (subject, step) = (Arc::clone(&subject), *step);
        tokio::spawn(async move { (step, subject.apply(step).await) })
    });
    let mut expected: HashMap<Place, i64> = HashMap::new();
    for done in join_all(running).await {
        let (step, outcome) = done.map_err(|error| TestCaseError::fail(error.to_string()))?;
        if outcome == Outcome::Moved {
            *expected.entry(step.from).or_default() -= step.amount;
            *expected.entry(step.to).or_default() += step.amount;
        }
    }
    for (number, account) in subject.consumers.iter().enumerate() {
        let balance = subject.books.balance(*account).await;
        prop_assert_eq!(
            balance,
            expected
                .get(&Place::Consumer(number))
                .copied()
                .unwrap_or_default()
        );
        let lowest = subject
            .books
            .lines(*account, 100, 0)
            .await
            .iter()
            .map(|line| line.balance)
            .min();
        prop_assert!(
            clawbacks || lowest.unwrap_or_default() >= 0,
            "an account was below zero"
        );
    }
    subject.books.audit().await;
    if let Some(subject) = Arc::into_inner(subject) {
        subject.books.close().await;
    }
    Ok(())
}

fn run<F: Future<Output = Result<(), TestCaseError>>>(case: F) -> Result<(), TestCaseError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime
        .map_err(|error| TestCaseError::fail(error.to_string()))?
        .block_on(case)
}

proptest! {
    // Each case makes a database of its own.
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_ends_as_the_model_says(steps in steps()) {
        run(one_after_another(steps))?;
    }

    #[test]
    fn any_interleaving_keeps_the_books(steps in steps()) {
        run(all_at_once(steps))?;
    }
}
