//! Audits: pages, stored differences, and a lease that another replica acquires.

use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use jiff::Timestamp;
use kit::{
    InternalError,
    audit::{
        Audit, AuditMetrics, Difference, PAGE_SIZE, Page, Schedule, audit_all, audit_due, run_periodically,
    },
    lifecycle::Process,
    metrics::{Counter, Gauge},
};
use sqlx::PgPool;
use testing::Database;
use types::OrderId;
use uuid::Uuid;

static RUNS: Counter = Counter::new("test.audit.runs", "Audits");
static DIFFERENCES: Gauge = Gauge::new("test.audit.differences", "Differences");

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Odd;

impl fmt::Display for Odd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Difference for Odd {
    const ALL: &'static [Self] = &[Self];

    fn as_str(self) -> &'static str {
        "odd"
    }
}

/// Audits the numbers up to a maximum. Odd ones are differences.
#[derive(Clone)]
struct Numbers {
    pool: PgPool,
    process: Process,
    max: usize,
    /// Executed during each comparison.
    meanwhile: &'static str,
}

fn id(number: usize) -> OrderId {
    OrderId::from_uuid(Uuid::from_u128(u128::try_from(number).unwrap()))
}

impl Audit for Numbers {
    type Id = OrderId;
    type Difference = Odd;
    type Source = ();

    const NAME: &'static str = "numbers";
    const COMPARED: &'static str = "numbers";
    const SOURCES: &'static [()] = &[()];

    fn pool(&self) -> &PgPool {
        &self.pool
    }

    fn process(&self) -> &Process {
        &self.process
    }

    fn interval(&self) -> Duration {
        Duration::from_hours(1)
    }

    fn metrics(&self) -> AuditMetrics {
        AuditMetrics {
            runs: &RUNS,
            differences: &DIFFERENCES,
        }
    }

    async fn list_page(
        &self,
        (): (),
        since: Option<Timestamp>,
        after: Option<String>,
    ) -> Result<Page<OrderId>, InternalError> {
        let after = after.map_or(0, |after| {
            let after: OrderId = after.parse().unwrap();
            usize::try_from(after.uuid().as_u128()).unwrap()
        });
        // Nothing has changed since the first audit.
        let max = if since.is_some() { after } else { self.max };
        Ok(Page::by_id((after + 1..=max).take(PAGE_SIZE).map(id).collect()))
    }

    async fn find_differences(&self, ids: &[OrderId]) -> Result<Vec<(OrderId, Odd)>, InternalError> {
        sqlx::query(self.meanwhile).execute(&self.pool).await?;
        let odd = ids.iter().filter(|id| id.uuid().as_u128() % 2 == 1);
        Ok(odd.map(|id| (*id, Odd)).collect())
    }

    async fn repair(&self, _differences: &[(OrderId, Odd)]) -> Vec<OrderId> {
        Vec::new()
    }
}

async fn numbers(max: usize, meanwhile: &'static str) -> (Database, Numbers) {
    let database = Database::create(&[]).await;
    let numbers = Numbers {
        pool: database.pool.clone(),
        process: Process::detached("test"),
        max,
        meanwhile,
    };
    (database, numbers)
}

#[tokio::test]
async fn an_audit_reads_all_pages_and_the_next_one_only_the_differences() {
    let max = 2 * PAGE_SIZE;
    let (database, numbers) = numbers(max, "SELECT 1").await;
    let first = audit_due(&numbers).await.unwrap().unwrap();
    assert_eq!(
        (first.compared, first.differences.len()),
        (max + PAGE_SIZE, PAGE_SIZE),
        "the differences are compared twice"
    );
    assert_eq!(audit_due(&numbers).await.unwrap(), None, "not due");
    sqlx::query("UPDATE audits SET due_at = now()")
        .execute(&numbers.pool)
        .await
        .unwrap();
    let second = audit_due(&numbers).await.unwrap().unwrap();
    assert_eq!(
        (second.compared, second.differences),
        (PAGE_SIZE, first.differences)
    );
    assert_eq!(audit_all(&numbers).await.unwrap().compared, max + PAGE_SIZE);
    database.drop().await;
}

#[tokio::test]
async fn an_audit_that_lost_its_lease_ends() {
    let (database, numbers) = numbers(1, "UPDATE audits SET due_at = now() + interval '5 minutes'").await;
    assert_eq!(audit_due(&numbers).await.unwrap(), None);
    let is_unfinished: bool = sqlx::query_scalar("SELECT audited_until IS NULL FROM audits")
        .fetch_one(&numbers.pool)
        .await
        .unwrap();
    assert!(is_unfinished);
    database.drop().await;
}

#[tokio::test]
async fn an_audit_is_repeated_after_each_result_until_shutdown() {
    let process = Process::detached("test");
    let audits = AtomicUsize::new(0);
    let schedule = Schedule {
        name: "test",
        interval: Duration::from_millis(1),
        runs: &RUNS,
    };
    let results = [Err("unavailable"), Ok(None), Ok(Some(false)), Ok(Some(true))];
    run_periodically(&process, schedule, || {
        let number = audits.fetch_add(1, Ordering::SeqCst);
        if number + 1 == results.len() {
            process.shutdown.cancel();
        }
        std::future::ready(results[number])
    })
    .await;
    assert_eq!(audits.into_inner(), results.len());
}
