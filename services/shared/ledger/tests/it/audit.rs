//! The audit and its worker. The tests corrupt rows with SQL and expect findings.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kit::lifecycle::Process;
use ledger::{AccountId, AuditFinding, Posting, audit_worker};
use testing::Log;
use tokio::time::{sleep, timeout};
use types::{Clock, EntryId, SystemClock};
use uuid::Uuid;

use crate::harness::{HOLD_RULES, IN_FLIGHT, RULES, TestLedger, deposit, hold, transfer};

const INTERVAL: Duration = Duration::from_millis(10);

async fn wait_for_log(log: &Log, text: &str) {
    let logged = async {
        while !log.text().contains(text) {
            sleep(INTERVAL).await;
        }
    };
    timeout(Duration::from_secs(20), logged).await.unwrap();
}

async fn ledger_with_holds() -> TestLedger {
    let ledger = TestLedger::create().await;
    ledger
        .corrupt("CREATE TABLE holds (order_id uuid PRIMARY KEY, amount bigint NOT NULL)")
        .await;
    ledger
}

/// Holds an amount for a new order, in the ledger and in the table of holds.
async fn hold_for_order(ledger: &TestLedger, account: AccountId, cents: i64, at: Timestamp) -> Uuid {
    let order = Uuid::new_v4();
    let reference = format!("hold:{order}");
    let posting = Posting {
        subject: Some(order),
        at,
        ..hold(&reference, account, cents)
    };
    ledger.post(posting).await.unwrap();
    sqlx::query("INSERT INTO holds VALUES ($1, $2)")
        .bind(order)
        .bind(cents)
        .execute(ledger.pool())
        .await
        .unwrap();
    order
}

#[tokio::test]
async fn a_balance_that_differs_from_its_postings_is_found() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    ledger.set_balance(account, 11).await;
    let mismatch = AuditFinding::BalanceMismatch {
        account,
        balance: 11,
        sum_of_postings: 10,
    };
    assert_eq!(ledger.findings(&RULES).await, [mismatch]);
    ledger.set_balance(account, 10).await;
    ledger.close().await;
}

#[tokio::test]
async fn a_changed_amount_is_found_in_the_balance_and_in_the_statement() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    ledger.corrupt("UPDATE ledger.postings SET amount = 12").await;
    let findings = [
        AuditFinding::BalanceMismatch {
            account,
            balance: 10,
            sum_of_postings: 12,
        },
        AuditFinding::BrokenStatement { account, line: 1 },
    ];
    assert_eq!(ledger.findings(&RULES).await, findings);
    ledger.discard().await;
}

#[tokio::test]
async fn a_deleted_posting_is_found() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    ledger.post(deposit("second", account, 5)).await.unwrap();
    ledger
        .corrupt("DELETE FROM ledger.postings WHERE reference <> 'second'")
        .await;
    let findings = ledger.findings(&RULES).await;
    assert!(findings.contains(&AuditFinding::BalanceMismatch {
        account,
        balance: 15,
        sum_of_postings: 5,
    }));
    assert!(findings.contains(&AuditFinding::BrokenStatement { account, line: 2 }));
    ledger.discard().await;
}

#[tokio::test]
async fn an_account_without_a_balance_row_is_found() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(0).await;
    ledger.corrupt("DELETE FROM ledger.balances").await;
    assert_eq!(
        ledger.findings(&RULES).await,
        [AuditFinding::BalanceRowMismatch { account }]
    );
    ledger.discard().await;
}

#[tokio::test]
async fn a_negative_balance_is_found_unless_the_rules_allow_it() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(0).await;
    let clawback = Posting {
        overdraft: ledger::Overdraft::Allowed,
        ..transfer("clawback", account, IN_FLIGHT, 3)
    };
    ledger.post(clawback).await.unwrap();
    assert_eq!(ledger.findings(&RULES).await, []);
    let rules = ledger::AuditRules {
        holds: None,
        ..HOLD_RULES
    };
    let negative = AuditFinding::NegativeBalance { account, balance: -3 };
    assert_eq!(ledger.findings(&rules).await, [negative]);
    ledger.close().await;
}

#[tokio::test]
async fn a_posting_without_a_line_on_the_side_of_its_owner_is_found() {
    let ledger = TestLedger::create().await;
    ledger.account_with(10).await;
    ledger
        .corrupt("UPDATE ledger.postings SET to_line = NULL, to_balance = NULL")
        .await;
    let findings = ledger.findings(&RULES).await;
    let is_incomplete = |finding: &AuditFinding| matches!(finding, AuditFinding::IncompletePosting { .. });
    assert!(findings.iter().any(is_incomplete), "{findings:?}");
    ledger.discard().await;
}

#[tokio::test]
async fn a_posting_to_an_account_of_another_unit_is_found() {
    let ledger = TestLedger::create().await;
    ledger.account_with(10).await;
    let posting: EntryId = sqlx::query_scalar("SELECT id FROM ledger.postings")
        .fetch_one(ledger.pool())
        .await
        .unwrap();
    ledger
        .corrupt(
            "ALTER TABLE ledger.postings DROP CONSTRAINT postings_from, DROP CONSTRAINT postings_to;
             UPDATE ledger.postings SET unit = 'points'",
        )
        .await;
    assert_eq!(
        ledger.findings(&RULES).await,
        [AuditFinding::IncompletePosting { posting }]
    );
    ledger.discard().await;
}

#[tokio::test]
async fn an_amount_in_flight_without_a_hold_is_found() {
    let ledger = ledger_with_holds().await;
    let account = ledger.account_with(10).await;
    let order = hold_for_order(&ledger, account, 4, SystemClock.now()).await;
    assert_eq!(ledger.findings(&HOLD_RULES).await, []);
    ledger.corrupt("DELETE FROM holds").await;
    let mismatch = AuditFinding::HoldMismatch {
        subject: Some(order),
        held: 0,
        in_flight: 4,
    };
    assert_eq!(ledger.findings(&HOLD_RULES).await, [mismatch]);
    ledger.discard().await;
}

#[tokio::test]
async fn an_incremental_audit_finds_a_hold_that_differs_from_the_amount_in_flight() {
    let ledger = ledger_with_holds().await;
    let account = ledger.account_with(10).await;
    let long_ago = SystemClock.now() - SignedDuration::from_hours(48);
    let order = hold_for_order(&ledger, account, 4, long_ago).await;
    assert_eq!(ledger.new_findings(&HOLD_RULES).await.0, []);
    ledger.corrupt("UPDATE holds SET amount = 5").await;
    let mismatch = AuditFinding::HoldMismatch {
        subject: Some(order),
        held: 5,
        in_flight: 4,
    };
    assert_eq!(ledger.new_findings(&HOLD_RULES).await, (vec![mismatch], 0));
    ledger.discard().await;
}

#[tokio::test]
async fn an_incremental_audit_reads_no_old_postings_and_continues_the_audited_balances() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    assert_eq!(ledger.new_findings(&RULES).await, (vec![], 1));
    // `at()` of the harness is long ago.
    assert_eq!(ledger.new_findings(&RULES).await, (vec![], 0));

    let new = Posting {
        at: SystemClock.now(),
        ..deposit("new", account, 5)
    };
    ledger.post(new).await.unwrap();
    assert_eq!(ledger.new_findings(&RULES).await, (vec![], 1));

    ledger.set_balance(account, 14).await;
    let mismatch = AuditFinding::BalanceMismatch {
        account,
        balance: 14,
        sum_of_postings: 15,
    };
    assert_eq!(
        ledger.new_findings(&RULES).await.0,
        std::slice::from_ref(&mismatch)
    );
    // The finding is reported until it is repaired.
    assert_eq!(ledger.new_findings(&RULES).await.0, [mismatch]);
    ledger.set_balance(account, 15).await;
    assert_eq!(ledger.new_findings(&RULES).await.0, []);
    ledger.close().await;
}

#[tokio::test]
async fn an_incremental_audit_neither_writes_nor_locks_the_rows_of_unchanged_accounts() {
    let ledger = TestLedger::create().await;
    let (changed, unchanged) = (ledger.account_with(10).await, ledger.account_with(20).await);
    // The transactions that have written and locked the row of an account.
    let transactions = async |account: AccountId| -> (String, String) {
        sqlx::query_as("SELECT xmin::text, xmax::text FROM ledger.audited_accounts WHERE account_id = $1")
            .bind(account)
            .fetch_one(ledger.pool())
            .await
            .unwrap()
    };
    ledger.new_findings(&RULES).await;
    let (changed_before, unchanged_before) = (transactions(changed).await, transactions(unchanged).await);
    ledger.post(deposit("new", changed, 5)).await.unwrap();
    ledger.new_findings(&RULES).await;
    assert_ne!(transactions(changed).await, changed_before);
    assert_eq!(transactions(unchanged).await, unchanged_before);
    ledger.close().await;
}

#[tokio::test]
async fn an_incremental_audit_finds_a_changed_new_line() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    ledger.new_findings(&RULES).await;
    ledger.post(deposit("new", account, 5)).await.unwrap();
    ledger
        .corrupt("UPDATE ledger.postings SET to_balance = 16 WHERE reference = 'new'")
        .await;
    let broken = AuditFinding::BrokenStatement { account, line: 2 };
    assert_eq!(ledger.new_findings(&RULES).await.0, [broken]);
    ledger.discard().await;
}

#[tokio::test]
async fn concurrent_incremental_audits_do_not_affect_each_other() {
    let ledger = TestLedger::create().await;
    ledger.account_with(10).await;
    let mut other = kit::postgres::begin(ledger.pool()).await.unwrap();
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('ledger.audit'))")
        .execute(&mut *other)
        .await
        .unwrap();
    assert_eq!(ledger::audit_new(ledger.pool(), &RULES).await.unwrap(), None);
    other.rollback().await.unwrap();
    assert_eq!(ledger.new_findings(&RULES).await.0, []);
    ledger.close().await;
}

#[tokio::test]
async fn an_audit_may_take_longer_than_the_statements_of_calls() {
    fn read_slowly(conn: &mut sqlx::PgConnection) -> ledger::LiveHoldsFuture<'_> {
        Box::pin(async move {
            sqlx::query("SELECT pg_sleep(0.3)").execute(conn).await?;
            Ok(vec![])
        })
    }
    let ledger = TestLedger::create().await;
    let options = (*ledger.pool().connect_options())
        .clone()
        .options([("statement_timeout", "100")]);
    let pool = sqlx::PgPool::connect_with(options).await.unwrap();
    let rules = ledger::AuditRules {
        holds: Some(ledger::HoldRules {
            in_flight: IN_FLIGHT,
            live_holds: read_slowly,
        }),
        ..RULES
    };
    assert_eq!(
        ledger::audit_new(&pool, &rules).await.unwrap().unwrap().findings,
        []
    );
    assert_eq!(ledger::audit_all(&pool, &rules).await.unwrap().findings, []);
    pool.close().await;
    ledger.close().await;
}

#[tokio::test]
async fn the_worker_logs_an_error_if_the_ledger_is_inconsistent() {
    let (ledger, log, process) = (
        TestLedger::create().await,
        Log::default(),
        Process::detached("test"),
    );
    let _capture = log.capture();
    let account = ledger.account_with(500).await;
    audit_worker::start(&process, ledger.pool(), INTERVAL, RULES);
    wait_for_log(&log, "ledger is consistent").await;
    assert_eq!(log.errors(), [""; 0]);

    ledger.set_balance(account, 501).await;
    wait_for_log(&log, "ledger is inconsistent").await;
    let error = &log.errors()[0];
    let (balance, sum) = ("balance: 501", "sum_of_postings: 500");
    assert!(error.contains(balance) && error.contains(sum), "{error}");

    ledger.set_balance(account, 500).await;
    process.shutdown.cancel();
    process.tasks.close();
    timeout(Duration::from_secs(5), process.tasks.wait())
        .await
        .unwrap();
    ledger.close().await;
}
