//! Property tests against a model: any sequence of postings gives the same results as the model, and any interleaving
//! leaves a ledger that balances.

use std::{collections::HashMap, sync::Arc};

use futures::future::join_all;
use ledger::{AccountId, Overdraft, PostError, Posting};
use proptest::prelude::*;

use crate::harness::{BANK, IN_FLIGHT, TestLedger, transfer};

const ACCOUNTS: usize = 4;

/// A posting to attempt. References repeat, so that some steps are duplicates or conflicts.
#[derive(Debug, Clone, Copy)]
struct Step {
    reference: u8,
    from: Party,
    to: Party,
    amount: i64,
    is_clawback: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Party {
    Bank,
    InFlight,
    Consumer(usize),
}

fn parties() -> impl Strategy<Value = Party> {
    prop_oneof![
        1 => Just(Party::Bank),
        1 => Just(Party::InFlight),
        4 => (0..ACCOUNTS).prop_map(Party::Consumer),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (
        0_u8..40,
        parties(),
        parties(),
        1_i64..100,
        prop::bool::weighted(0.1),
    )
        .prop_map(|(reference, from, to, amount, is_clawback)| Step {
            reference,
            from,
            to,
            amount,
            is_clawback,
        })
        .prop_filter("the accounts of a posting differ", |step| step.from != step.to);
    prop::collection::vec(step, 1..60)
}

/// The result of a step.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Posted,
    Duplicate,
    InsufficientBalance(i64),
    Conflict,
}

/// Expected behavior of the ledger, in memory.
#[derive(Default)]
struct Model {
    balances: HashMap<Party, i64>,
    posted: HashMap<u8, (Party, Party, i64)>,
}

impl Model {
    fn apply(&mut self, step: Step) -> Outcome {
        if let Some(previous) = self.posted.get(&step.reference) {
            let is_equal = *previous == (step.from, step.to, step.amount);
            return if is_equal {
                Outcome::Duplicate
            } else {
                Outcome::Conflict
            };
        }
        let available = self.balances.get(&step.from).copied().unwrap_or_default();
        if matches!(step.from, Party::Consumer(_)) && available < step.amount && !step.is_clawback {
            return Outcome::InsufficientBalance(available);
        }
        *self.balances.entry(step.from).or_default() -= step.amount;
        *self.balances.entry(step.to).or_default() += step.amount;
        self.posted
            .insert(step.reference, (step.from, step.to, step.amount));
        Outcome::Posted
    }
}

/// The ledger under test, with the accounts of the model.
struct Subject {
    ledger: TestLedger,
    consumers: Vec<AccountId>,
}

impl Subject {
    async fn create() -> Self {
        let ledger = TestLedger::create().await;
        let mut consumers = Vec::new();
        for _ in 0..ACCOUNTS {
            consumers.push(ledger.account_with(0).await);
        }
        Self { ledger, consumers }
    }

    fn account(&self, party: Party) -> AccountId {
        match party {
            Party::Bank => BANK,
            Party::InFlight => IN_FLIGHT,
            Party::Consumer(number) => self.consumers[number],
        }
    }

    async fn apply(&self, step: Step) -> Outcome {
        let reference = step.reference.to_string();
        let overdraft = if step.is_clawback {
            Overdraft::Allowed
        } else {
            Overdraft::Forbidden
        };
        let (from, to) = (self.account(step.from), self.account(step.to));
        match self
            .ledger
            .post(Posting {
                overdraft,
                ..transfer(&reference, from, to, step.amount)
            })
            .await
        {
            Ok(posted) if posted.is_duplicate => Outcome::Duplicate,
            Ok(_) => Outcome::Posted,
            Err(PostError::InsufficientBalance { available }) => Outcome::InsufficientBalance(available),
            Err(PostError::ReferenceConflict(_)) => Outcome::Conflict,
            Err(error) => panic!("{error}"),
        }
    }
}

async fn check_sequence(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let (subject, mut model) = (Subject::create().await, Model::default());
    for step in steps {
        prop_assert_eq!(subject.apply(step).await, model.apply(step), "{:?}", step);
    }
    for (number, account) in subject.consumers.iter().enumerate() {
        let expected = model
            .balances
            .get(&Party::Consumer(number))
            .copied()
            .unwrap_or_default();
        prop_assert_eq!(subject.ledger.balance(*account).await, expected);
        let statement = subject.ledger.statement(*account, 100, 0).await;
        prop_assert_eq!(statement.iter().map(|line| line.amount).sum::<i64>(), expected);
    }
    prop_assert_eq!(
        subject.ledger.audit().await,
        i64::try_from(model.posted.len()).unwrap()
    );
    subject.ledger.close().await;
    Ok(())
}

async fn check_interleaving(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let subject = Arc::new(Subject::create().await);
    let has_clawbacks = steps.iter().any(|step| step.is_clawback);
    let running = steps.iter().map(|step| {
        let (subject, step) = (Arc::clone(&subject), *step);
        tokio::spawn(async move { (step, subject.apply(step).await) })
    });
    let mut expected: HashMap<Party, i64> = HashMap::new();
    for done in join_all(running).await {
        let (step, outcome) = done.map_err(|error| TestCaseError::fail(error.to_string()))?;
        if outcome == Outcome::Posted {
            *expected.entry(step.from).or_default() -= step.amount;
            *expected.entry(step.to).or_default() += step.amount;
        }
    }
    for (number, account) in subject.consumers.iter().enumerate() {
        let balance = subject.ledger.balance(*account).await;
        prop_assert_eq!(
            balance,
            expected
                .get(&Party::Consumer(number))
                .copied()
                .unwrap_or_default()
        );
        let lowest = subject
            .ledger
            .statement(*account, 100, 0)
            .await
            .iter()
            .map(|line| line.balance)
            .min();
        prop_assert!(
            has_clawbacks || lowest.unwrap_or_default() >= 0,
            "an account was overdrawn"
        );
    }
    subject.ledger.audit().await;
    if let Some(subject) = Arc::into_inner(subject) {
        subject.ledger.close().await;
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
    // Few cases, because each creates a database.
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_matches_the_model(steps in steps()) {
        run(check_sequence(steps))?;
    }

    #[test]
    fn any_interleaving_leaves_a_balanced_ledger(steps in steps()) {
        run(check_interleaving(steps))?;
    }
}
