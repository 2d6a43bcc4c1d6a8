//! Postings, one at a time.

use ledger::{AccountId, Overdraft, PostError, Posting, Unit};
use uuid::Uuid;

use crate::harness::{BANK, TestLedger, at, deposit, hold, one_hour_later, transfer};

#[tokio::test]
async fn a_posting_updates_the_balance_and_the_statement() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(5_000).await;
    let order = Uuid::new_v4();
    let posting = Posting {
        kind: "order_held",
        explanation: "Order at Sunset & Maltman",
        subject: Some(order),
        ..hold("order:1:hold", account, 1_240)
    };
    let posted = ledger.post(posting).await.unwrap();
    assert_eq!(
        posted.from.map(|after| (after.line, after.balance)),
        Some((2, 3_760))
    );
    assert_eq!(posted.to, None, "a system account has no balance");

    let lines = ledger.statement(account, 10, 0).await;
    let amounts: Vec<_> = lines
        .iter()
        .map(|line| (line.number, line.amount, line.balance))
        .collect();
    assert_eq!(amounts, [(2, -1_240, 3_760), (1, 5_000, 5_000)]);
    assert_eq!(
        (lines[0].kind.as_str(), lines[0].subject),
        ("order_held", Some(order))
    );
    assert_eq!(
        (lines[0].explanation.as_str(), lines[0].at),
        ("Order at Sunset & Maltman", at())
    );
    assert_eq!(
        ledger.statement(account, 1, 1).await[0].number,
        1,
        "the second page"
    );
    ledger.close().await;
}

#[tokio::test]
async fn spending_cannot_overdraw_an_account_but_a_clawback_can() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(100).await;
    let result = ledger.post(hold("a", account, 101)).await;
    assert!(
        matches!(result, Err(PostError::InsufficientBalance { available: 100 })),
        "{result:?}"
    );
    ledger.post(hold("b", account, 100)).await.unwrap();

    let clawback = Posting {
        overdraft: Overdraft::Allowed,
        ..transfer("c", account, BANK, 30)
    };
    ledger.post(clawback).await.unwrap();
    assert_eq!(ledger.balance(account).await, -30);
    let result = ledger.post(hold("d", account, 1)).await;
    assert!(
        matches!(result, Err(PostError::InsufficientBalance { available: -30 })),
        "{result:?}"
    );
    ledger.close().await;
}

#[tokio::test]
async fn a_reference_moves_an_amount_once_and_rejects_a_different_posting() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(100).await;
    let first = ledger.post(hold("order:1", account, 80)).await.unwrap();
    // The balance is now too small for another 80, but the posting already exists.
    let duplicate = ledger
        .post(Posting {
            at: one_hour_later(),
            ..hold("order:1", account, 80)
        })
        .await;
    let duplicate = duplicate.unwrap();
    assert_eq!(
        (duplicate.id, duplicate.from, duplicate.is_duplicate),
        (first.id, first.from, true)
    );

    let other = ledger.account_with(500).await;
    for changed in [
        hold("order:1", account, 20),
        hold("order:1", account, 81),
        hold("order:1", other, 80),
        Posting {
            kind: "other",
            ..hold("order:1", account, 80)
        },
        Posting {
            subject: Some(Uuid::new_v4()),
            ..hold("order:1", account, 80)
        },
    ] {
        let result = ledger.post(changed).await;
        assert!(
            matches!(&result, Err(PostError::ReferenceConflict(reference)) if reference == "order:1"),
            "{result:?}"
        );
    }
    assert_eq!(
        (ledger.balance(account).await, ledger.balance(other).await),
        (20, 500)
    );
    ledger.close().await;
}

#[tokio::test]
async fn the_transaction_stays_usable_after_an_insufficient_balance() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    let mut tx = kit::postgres::begin(ledger.pool()).await.unwrap();
    assert!(
        ledger::post(&mut tx, hold("too much", account, 11))
            .await
            .is_err()
    );
    ledger::post(&mut tx, hold("fits", account, 10)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(ledger.balance(account).await, 0);
    ledger.close().await;
}

#[tokio::test]
async fn a_posting_that_was_rolled_back_can_be_posted_again() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    let mut tx = kit::postgres::begin(ledger.pool()).await.unwrap();
    ledger::post(&mut tx, hold("a", account, 10)).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(ledger.balance(account).await, 10);
    assert!(!ledger.post(hold("a", account, 10)).await.unwrap().is_duplicate);
    ledger.close().await;
}

#[tokio::test]
async fn invalid_postings_are_rejected() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    for amount in [0, -1, i64::MIN] {
        assert!(matches!(
            ledger.post(deposit("a", account, amount)).await,
            Err(PostError::AmountNotPositive)
        ));
    }
    assert!(matches!(
        ledger.post(deposit("a", account, i64::MAX)).await,
        Err(PostError::BalanceOutOfRange)
    ));
    assert_eq!(
        violated_constraint(&ledger, transfer("a", account, account, 1)).await,
        "postings_accounts_differ"
    );
    assert_eq!(
        violated_constraint(&ledger, transfer("a", AccountId::fixed(99), account, 1)).await,
        "postings_from"
    );
    assert_eq!(
        violated_constraint(&ledger, transfer("a", account, AccountId::fixed(99), 1)).await,
        "postings_to"
    );
    assert_eq!(
        violated_constraint(
            &ledger,
            Posting {
                unit: Unit::Points,
                ..deposit("a", account, 1)
            }
        )
        .await,
        "postings_from"
    );
    assert_eq!(
        violated_constraint(
            &ledger,
            Posting {
                explanation: "",
                ..deposit("a", account, 1)
            }
        )
        .await,
        "postings_explanation_not_empty"
    );
    ledger.close().await;
}

async fn violated_constraint(ledger: &TestLedger, posting: Posting<'_>) -> String {
    match ledger.post(posting).await {
        Err(PostError::Database(sqlx::Error::Database(error))) => {
            error.constraint().unwrap_or_default().to_owned()
        }
        other => panic!("expected a violated constraint, got {other:?}"),
    }
}

#[tokio::test]
async fn postings_cannot_be_changed_or_deleted() {
    let ledger = TestLedger::create().await;
    ledger.account_with(10).await;
    for change in [
        "UPDATE ledger.postings SET amount = 1",
        "DELETE FROM ledger.postings",
    ] {
        let error = sqlx::query(change).execute(ledger.pool()).await.unwrap_err();
        assert!(
            error.to_string().contains("cannot be changed or deleted"),
            "{error}"
        );
    }
    ledger.close().await;
}
