//! Many at once on the same accounts.

use std::sync::Arc;

use futures::future::join_all;
use ledger::{PostError, Unit};
use uuid::Uuid;

use crate::books::{Books, at, hold, moving};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forty_spenders_never_spend_a_cent_twice() {
    let books = Arc::new(Books::open().await);
    let account = books.account_with(1_000).await;
    let spends = (0..40).map(|number| {
        let books = Arc::clone(&books);
        tokio::spawn(async move { books.post(hold(&format!("order:{number}"), account, 70)).await })
    });
    let spent = join_all(spends)
        .await
        .into_iter()
        .filter(|spend| spend.as_ref().unwrap().is_ok())
        .count();
    assert_eq!(spent, 14, "14 times 70 cents fit into 10 dollars");
    assert_eq!(books.balance(account).await, 20);
    assert_eq!(books.audit().await, 15);
    Arc::into_inner(books).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_equal_postings_are_one() {
    let books = Arc::new(Books::open().await);
    let account = books.account_with(100).await;
    let spends = (0..20).map(|_| {
        let books = Arc::clone(&books);
        tokio::spawn(async move { books.post(hold("order:1", account, 100)).await })
    });
    let posted: Vec<_> = join_all(spends)
        .await
        .into_iter()
        .map(|spend| spend.unwrap().unwrap())
        .collect();
    assert!(posted.iter().all(|one| one.id == posted[0].id));
    assert_eq!(posted.iter().filter(|one| !one.repeated).count(), 1);
    assert_eq!(books.balance(account).await, 0);
    Arc::into_inner(books).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accounts_that_give_to_each_other_do_not_lock_up() {
    let books = Arc::new(Books::open().await);
    let (left, right) = (books.account_with(500).await, books.account_with(500).await);
    let gifts = (0..60).map(|number| {
        let books = Arc::clone(&books);
        let (from, to) = if number % 2 == 0 {
            (left, right)
        } else {
            (right, left)
        };
        tokio::spawn(async move { books.post(moving(&format!("gift:{number}"), from, to, 40)).await })
    });
    for gift in join_all(gifts).await {
        assert!(matches!(
            gift.unwrap(),
            Ok(_) | Err(PostError::Insufficient { .. })
        ));
    }
    assert_eq!(books.balance(left).await + books.balance(right).await, 1_000);
    Arc::into_inner(books).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_opened_by_many_is_one() {
    let books = Arc::new(Books::open().await);
    let owner = Uuid::new_v4();
    let openings = (0..20).map(|_| {
        let books = Arc::clone(&books);
        tokio::spawn(async move {
            let mut conn = books.pool().acquire().await.unwrap();
            ledger::account::open(&mut conn, "joepass", owner, Unit::Usd, at())
                .await
                .unwrap()
        })
    });
    let opened: Vec<_> = join_all(openings).await.into_iter().map(Result::unwrap).collect();
    assert!(opened.iter().all(|account| *account == opened[0]));
    Arc::into_inner(books).unwrap().close().await;
}
