//! The audit and its worker.

use std::time::Duration;

use kit::lifecycle::Process;
use ledger::{AuditFinding, audit_worker};
use testing::Log;
use tokio::time::{sleep, timeout};

use crate::harness::TestLedger;

const INTERVAL: Duration = Duration::from_millis(10);

async fn wait_for_log(log: &Log, text: &str) {
    let logged = async {
        while !log.text().contains(text) {
            sleep(INTERVAL).await;
        }
    };
    timeout(Duration::from_secs(20), logged).await.unwrap();
}

#[tokio::test]
async fn the_audit_finds_a_balance_that_differs_from_its_postings() {
    let ledger = TestLedger::create().await;
    let account = ledger.account_with(10).await;
    ledger.set_balance(account, 11).await;
    let audit = ledger::audit_snapshot(ledger.pool()).await.unwrap();
    assert_eq!(
        audit.findings,
        [AuditFinding::BalanceMismatch {
            account,
            balance: 11,
            sum_of_postings: 10
        }]
    );
    ledger.set_balance(account, 10).await;
    ledger.close().await;
}

#[tokio::test]
async fn the_worker_logs_an_error_if_the_ledger_does_not_balance() {
    let (ledger, log, process) = (
        TestLedger::create().await,
        Log::default(),
        Process::detached("test"),
    );
    let _capture = log.capture();
    let account = ledger.account_with(500).await;
    audit_worker::start(&process, ledger.pool(), INTERVAL);
    wait_for_log(&log, "ledger balances").await;
    assert_eq!(log.errors(), [""; 0]);

    ledger.set_balance(account, 501).await;
    wait_for_log(&log, "ledger does not balance").await;
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
