//! The audit that runs by itself.

use std::time::Duration;

use kit::lifecycle::Process;
use testing::Log;
use tokio::time::{sleep, timeout};

use crate::books::Books;

const OFTEN: Duration = Duration::from_millis(10);

/// Until something was logged.
async fn said(log: &Log, what: &str) {
    let heard = async {
        while !log.text().contains(what) {
            sleep(OFTEN).await;
        }
    };
    timeout(Duration::from_secs(20), heard).await.unwrap();
}

#[tokio::test]
async fn books_that_do_not_balance_are_told_of_as_an_error() {
    let (books, log, process) = (Books::open().await, Log::default(), Process::detached("test"));
    let _listening = log.listen();
    let account = books.account_with(500).await;
    let watching = process.spawn(ledger::watch(process.clone(), books.pool().clone(), OFTEN));
    said(&log, "books balance").await;
    assert_eq!(log.errors(), [""; 0]);

    set_balance(&books, account, 501).await;
    said(&log, "books do not balance").await;
    let found = &log.errors()[0];
    let (balance, postings) = ("balance: 501", "postings: 500");
    assert!(found.contains(balance) && found.contains(postings), "{found}");

    set_balance(&books, account, 500).await;
    process.shutdown.cancel();
    timeout(Duration::from_secs(5), watching).await.unwrap().unwrap();
    books.close().await;
}

async fn set_balance(books: &Books, account: ledger::AccountId, cents: i64) {
    sqlx::query("UPDATE ledger.balances SET balance = $2 WHERE account_id = $1")
        .bind(account.uuid())
        .bind(cents)
        .execute(books.pool())
        .await
        .unwrap();
}
