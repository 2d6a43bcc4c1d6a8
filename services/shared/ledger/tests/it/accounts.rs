//! Opening, reassigning and closing accounts.

use ledger::{Overdraft, Posting, Unit, account, close_account};
use uuid::Uuid;

use crate::harness::{BANK, IN_FLIGHT, TestLedger, at, transfer};

#[tokio::test]
async fn opening_an_account_again_returns_the_same_account() {
    let ledger = TestLedger::create().await;
    let owner = Uuid::new_v4();
    let account = ledger.account_of(owner, 0).await;
    assert_eq!(ledger.account_of(owner, 0).await, account);
    ledger.close().await;
}

#[tokio::test]
async fn a_reassigned_account_keeps_its_postings() {
    let ledger = TestLedger::create().await;
    let (owner, new_owner) = (Uuid::new_v4(), Uuid::new_v4());
    let account = ledger.account_of(owner, 10).await;
    let mut conn = ledger.pool().acquire().await.unwrap();
    let reassigned = account::reassign_owner(&mut conn, owner, new_owner).await;
    assert_eq!(reassigned.unwrap(), 1);
    for (owner, expected) in [(owner, None), (new_owner, Some(account))] {
        let found = account::find(&mut conn, "joepass", owner, Unit::Usd).await;
        assert_eq!(found.unwrap(), expected);
    }
    assert_eq!(ledger.statement(account, 10, 0).await.len(), 1);
    drop(conn);
    ledger.close().await;
}

#[tokio::test]
async fn a_closed_account_has_no_balance_and_no_known_owner() {
    let ledger = TestLedger::create().await;
    for balance in [70, 0, -30] {
        let owner = Uuid::new_v4();
        let account = ledger.account_of(owner, balance).await;
        if balance < 0 {
            let clawback = Posting {
                overdraft: Overdraft::Allowed,
                ..transfer("clawback", account, BANK, -balance)
            };
            ledger.post(clawback).await.unwrap();
        }
        let mut conn = ledger.pool().acquire().await.unwrap();
        // Closing it again changes nothing.
        for _ in 0..2 {
            close_account(&mut conn, "joepass", owner, Unit::Usd, IN_FLIGHT, at())
                .await
                .unwrap();
        }
        assert_eq!(ledger.balance(account).await, 0);
        assert_ne!(account::owner(&mut conn, account).await.unwrap(), Some(owner));
        let found = account::find(&mut conn, "joepass", owner, Unit::Usd).await;
        assert_eq!(found.unwrap(), None);
    }
    ledger.close().await;
}
