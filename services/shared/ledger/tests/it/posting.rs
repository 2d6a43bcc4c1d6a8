//! One posting at a time: right, wrong and repeated.

use ledger::{AccountId, Overdraft, PostError, Posting, Unit};
use uuid::Uuid;

use crate::books::{BANK, Books, at, grant, hold, moving};

#[tokio::test]
async fn an_amount_moves_and_each_line_explains_itself() {
    let books = Books::open().await;
    let account = books.account_with(5_000).await;
    let order = Uuid::new_v4();
    let posting = Posting {
        kind: "order_held",
        explanation: "Order at Sunset & Maltman",
        subject: Some(order),
        ..hold("order:1:hold", account, 1_240)
    };
    let posted = books.post(posting).await.unwrap();
    assert_eq!(
        posted.from.map(|side| (side.line, side.balance)),
        Some((2, 3_760))
    );
    assert_eq!(posted.to, None, "a system account keeps no balance");

    let lines = books.lines(account, 10, 0).await;
    let seen: Vec<_> = lines
        .iter()
        .map(|line| (line.number, line.amount, line.balance))
        .collect();
    assert_eq!(seen, [(2, -1_240, 3_760), (1, 5_000, 5_000)]);
    assert_eq!(
        (lines[0].kind.as_str(), lines[0].subject),
        ("order_held", Some(order))
    );
    assert_eq!(
        (lines[0].explanation.as_str(), lines[0].at),
        ("Order at Sunset & Maltman", at())
    );
    assert_eq!(books.lines(account, 1, 1).await[0].number, 1, "the second page");
    books.close().await;
}

#[tokio::test]
async fn spending_never_goes_below_zero_but_a_clawback_may() {
    let books = Books::open().await;
    let account = books.account_with(100).await;
    let refused = books.post(hold("a", account, 101)).await;
    assert!(
        matches!(refused, Err(PostError::Insufficient { available: 100 })),
        "{refused:?}"
    );
    books.post(hold("b", account, 100)).await.unwrap();

    let clawback = Posting {
        overdraft: Overdraft::Allowed,
        ..moving("c", account, BANK, 30)
    };
    books.post(clawback).await.unwrap();
    assert_eq!(books.balance(account).await, -30);
    let refused = books.post(hold("d", account, 1)).await;
    assert!(
        matches!(refused, Err(PostError::Insufficient { available: -30 })),
        "{refused:?}"
    );
    books.close().await;
}

#[tokio::test]
async fn the_same_reference_moves_once_and_only_the_same() {
    let books = Books::open().await;
    let account = books.account_with(100).await;
    let first = books.post(hold("order:1", account, 80)).await.unwrap();
    // The balance is too small for another 80 by now: the posting is found all the same.
    let again = books
        .post(Posting {
            at: at() + jiff::SignedDuration::from_hours(1),
            ..hold("order:1", account, 80)
        })
        .await;
    let again = again.unwrap();
    assert_eq!(
        (again.id, again.from, again.repeated),
        (first.id, first.from, true)
    );

    let other = books.account_with(500).await;
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
        let refused = books.post(changed).await;
        assert!(
            matches!(&refused, Err(PostError::ReferenceTaken(taken)) if taken == "order:1"),
            "{refused:?}"
        );
    }
    assert_eq!(
        (books.balance(account).await, books.balance(other).await),
        (20, 500)
    );
    books.close().await;
}

#[tokio::test]
async fn a_refused_posting_leaves_the_transaction_usable() {
    let books = Books::open().await;
    let account = books.account_with(10).await;
    let mut tx = books.pool().begin().await.unwrap();
    assert!(
        ledger::post(&mut tx, hold("too much", account, 11))
            .await
            .is_err()
    );
    ledger::post(&mut tx, hold("fits", account, 10)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(books.balance(account).await, 0);
    books.close().await;
}

#[tokio::test]
async fn a_posting_that_is_rolled_back_never_was() {
    let books = Books::open().await;
    let account = books.account_with(10).await;
    let mut tx = books.pool().begin().await.unwrap();
    ledger::post(&mut tx, hold("a", account, 10)).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(books.balance(account).await, 10);
    assert!(!books.post(hold("a", account, 10)).await.unwrap().repeated);
    books.close().await;
}

#[tokio::test]
async fn nothing_impossible_is_written() {
    let books = Books::open().await;
    let account = books.account_with(10).await;
    for amount in [0, -1, i64::MIN] {
        assert!(matches!(
            books.post(grant("a", account, amount)).await,
            Err(PostError::NotPositive)
        ));
    }
    assert!(matches!(
        books.post(grant("a", account, i64::MAX)).await,
        Err(PostError::OutOfRange)
    ));
    assert_eq!(
        violated(&books, moving("a", account, account, 1)).await,
        "postings_two_accounts"
    );
    assert_eq!(
        violated(&books, moving("a", AccountId::fixed(99), account, 1)).await,
        "postings_from"
    );
    assert_eq!(
        violated(&books, moving("a", account, AccountId::fixed(99), 1)).await,
        "postings_to"
    );
    assert_eq!(
        violated(
            &books,
            Posting {
                unit: Unit::Points,
                ..grant("a", account, 1)
            }
        )
        .await,
        "postings_from"
    );
    assert_eq!(
        violated(
            &books,
            Posting {
                explanation: "",
                ..grant("a", account, 1)
            }
        )
        .await,
        "postings_explained"
    );
    books.close().await;
}

async fn violated(books: &Books, posting: Posting<'_>) -> String {
    match books.post(posting).await {
        Err(PostError::Database(sqlx::Error::Database(error))) => {
            error.constraint().unwrap_or_default().to_owned()
        }
        other => panic!("expected a violated constraint, got {other:?}"),
    }
}

#[tokio::test]
async fn what_was_posted_stays_posted() {
    let books = Books::open().await;
    books.account_with(10).await;
    for change in [
        "UPDATE ledger.postings SET amount = 1",
        "DELETE FROM ledger.postings",
    ] {
        let refused = sqlx::query(change).execute(books.pool()).await.unwrap_err();
        assert!(
            refused.to_string().contains("never changed or removed"),
            "{refused}"
        );
    }
    books.close().await;
}

#[tokio::test]
async fn the_audit_sees_a_cent_that_came_from_nowhere() {
    let books = Books::open().await;
    let account = books.account_with(10).await;
    sqlx::query("UPDATE ledger.balances SET balance = 11")
        .execute(books.pool())
        .await
        .unwrap();
    let mut conn = books.pool().acquire().await.unwrap();
    let audit = ledger::audit(&mut conn).await.unwrap();
    assert_eq!(
        audit.faults,
        [ledger::Fault::Balance {
            account,
            balance: 11,
            postings: 10
        }]
    );
    sqlx::query("UPDATE ledger.balances SET balance = 10")
        .execute(books.pool())
        .await
        .unwrap();
    drop(conn);
    books.close().await;
}

#[tokio::test]
async fn an_owner_who_leaves_takes_the_name_not_the_books() {
    let books = Books::open().await;
    let (owner, stand_in) = (Uuid::new_v4(), Uuid::new_v4());
    let mut conn = books.pool().acquire().await.unwrap();
    let account = ledger::account::open(&mut conn, "joepass", owner, Unit::Usd, at())
        .await
        .unwrap();
    assert_eq!(
        ledger::account::open(&mut conn, "joepass", owner, Unit::Usd, at())
            .await
            .unwrap(),
        account
    );
    assert_eq!(
        ledger::account::disown(&mut conn, owner, stand_in).await.unwrap(),
        1
    );
    assert_eq!(
        ledger::account::find(&mut conn, "joepass", owner, Unit::Usd)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        ledger::account::find(&mut conn, "joepass", stand_in, Unit::Usd)
            .await
            .unwrap(),
        Some(account)
    );
    drop(conn);
    books.close().await;
}
