//! Concurrent postings on the same accounts.

use std::sync::Arc;

use futures::future::join_all;
use jiff::SignedDuration;
use ledger::{PostError, Posting, Unit, account};
use uuid::Uuid;

use crate::harness::{TestLedger, at, hold, transfer};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_holds_never_exceed_the_balance() {
    let ledger = Arc::new(TestLedger::create().await);
    let account = ledger.account_with(1_000).await;
    let holds = (0..40).map(|number| {
        let ledger = Arc::clone(&ledger);
        tokio::spawn(async move { ledger.post(hold(&format!("order:{number}"), account, 70)).await })
    });
    let held = join_all(holds)
        .await
        .into_iter()
        .filter(|hold| hold.as_ref().unwrap().is_ok())
        .count();
    assert_eq!(held, 14, "14 holds of 70 cents fit into 10 dollars");
    assert_eq!(ledger.balance(account).await, 20);
    assert_eq!(ledger.audit().await, 15);
    Arc::into_inner(ledger).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_equal_postings_move_the_amount_once() {
    let ledger = Arc::new(TestLedger::create().await);
    let account = ledger.account_with(100).await;
    let holds = (0..20).map(|_| {
        let ledger = Arc::clone(&ledger);
        tokio::spawn(async move { ledger.post(hold("order:1", account, 100)).await })
    });
    let posted: Vec<_> = join_all(holds)
        .await
        .into_iter()
        .map(|posted| posted.unwrap().unwrap())
        .collect();
    assert!(posted.iter().all(|each| each.id == posted[0].id));
    assert_eq!(posted.iter().filter(|each| !each.is_duplicate).count(), 1);
    assert_eq!(ledger.balance(account).await, 0);
    Arc::into_inner(ledger).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opposite_concurrent_postings_do_not_deadlock() {
    let ledger = Arc::new(TestLedger::create().await);
    let (left, right) = (ledger.account_with(500).await, ledger.account_with(500).await);
    let transfers = (0..60).map(|number| {
        let ledger = Arc::clone(&ledger);
        let (from, to) = if number % 2 == 0 {
            (left, right)
        } else {
            (right, left)
        };
        tokio::spawn(async move {
            ledger
                .post(transfer(&format!("transfer:{number}"), from, to, 40))
                .await
        })
    });
    for result in join_all(transfers).await {
        assert!(matches!(
            result.unwrap(),
            Ok(_) | Err(PostError::InsufficientBalance { .. })
        ));
    }
    assert_eq!(ledger.balance(left).await + ledger.balance(right).await, 1_000);
    Arc::into_inner(ledger).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_opens_return_one_account() {
    let ledger = Arc::new(TestLedger::create().await);
    let owner = Uuid::new_v4();
    let opens = (0..20).map(|_| {
        let ledger = Arc::clone(&ledger);
        tokio::spawn(async move {
            let mut conn = ledger.pool().acquire().await.unwrap();
            account::open(&mut conn, "joepass", owner, Unit::Usd, at())
                .await
                .unwrap()
        })
    });
    let opened: Vec<_> = join_all(opens).await.into_iter().map(Result::unwrap).collect();
    assert!(opened.iter().all(|account| *account == opened[0]));
    Arc::into_inner(ledger).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn balances_follow_in_a_combined_statement_whatever_the_clocks_of_concurrent_postings_say() {
    let ledger = Arc::new(TestLedger::create().await);
    let accounts = [ledger.account_with(1_000).await, ledger.account_with(1_000).await];
    let postings = (0..30).map(|number| {
        let ledger = Arc::clone(&ledger);
        let account = accounts[number % 2];
        // The clocks differ by a few microseconds, and some are equal.
        let microseconds = i64::try_from(number * 7 % 5).unwrap();
        tokio::spawn(async move {
            let reference = format!("order:{number}");
            let posting = Posting {
                at: at() + SignedDuration::from_micros(microseconds),
                kind: if number % 3 == 0 { "top_up" } else { "order_held" },
                ..hold(&reference, account, 10)
            };
            ledger.post(posting).await
        })
    });
    for posted in join_all(postings).await {
        posted.unwrap().unwrap();
    }

    let lines = ledger.combined_statement(&accounts, "", 100, 0).await;
    assert_eq!(lines.len(), 32);
    for account in accounts {
        let lines: Vec<_> = lines.iter().filter(|line| line.account == account).collect();
        for pair in lines.windows(2) {
            assert_eq!(pair[0].balance, pair[1].balance + pair[0].amount, "{lines:#?}");
        }
        assert_eq!(lines[0].balance, ledger.balance(account).await);
    }
    let mut paged = Vec::new();
    while let page = ledger
        .combined_statement(&accounts, "", 7, u32::try_from(paged.len()).unwrap())
        .await
        && !page.is_empty()
    {
        paged.extend(page);
    }
    assert_eq!(paged, lines);
    let orders = ledger.combined_statement(&accounts, "order_", 100, 0).await;
    for account in accounts {
        let lines = orders.iter().filter(|line| line.account == account);
        assert!(
            lines
                .map(|line| line.number)
                .is_sorted_by(|later, earlier| later > earlier)
        );
    }
    Arc::into_inner(ledger).unwrap().close().await;
}
