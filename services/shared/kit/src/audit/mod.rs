//! Audits that compare the rows of a service with the records of other services, in both directions.
//!
//! An audit reads what changed since the previous one in pages, compares each subject, repairs what is safe to repair, and stores the
//! differences, which the next audit compares again. One replica at a time audits.

mod command;
mod periodic;
mod progress;
mod worker;

use std::{
    fmt::{Debug, Display},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use sqlx::PgPool;
use uuid::Uuid;

use self::progress::AuditLease;
pub use self::{
    command::run_command,
    periodic::{Schedule, run_periodically},
    worker::start,
};
use crate::{
    InternalError,
    lifecycle::Process,
    metrics::{Counter, Gauge},
};

/// Services list up to this many records.
pub const PAGE_SIZE: usize = 500;
/// Longer than a page takes, which extends it.
const LEASE: Duration = Duration::from_mins(2);
/// Each audit repeats this time of the previous one: a transaction commits later than the time of its change, the clocks of other
/// services differ, and a change is not compared before it is settled.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// Maximum time after which a change is compared. A change that is younger is left to the next audit, which repeats [`OVERLAP`]; with a
/// longer time the next audit would leave out some changes.
pub const MAX_SETTLE_SECONDS: i64 = OVERLAP.as_secs() - 1;

/// The results of periodic audits.
pub const RESULTS: &[&str] = &["consistent", "inconsistent", "failed"];

/// How a subject differs.
pub trait Difference: Debug + Copy + Ord + Display + Send + Sync + 'static {
    const ALL: &'static [Self];

    fn as_str(self) -> &'static str;
}

/// Subjects that differ, and how.
pub type Differences<Id, Difference> = Vec<(Id, Difference)>;

/// An audit of a service.
pub trait Audit: Clone + Send + Sync + 'static {
    /// The id of a subject.
    type Id: Debug + Copy + Ord + Display + From<Uuid> + Into<Uuid> + Send + Sync + 'static;
    type Difference: Difference;
    /// Where the audit reads subjects from.
    type Source: Debug + Copy + Send + Sync + 'static;

    /// The name in the tables and in the log.
    const NAME: &'static str;
    /// What is compared, for the command: "orders and their charges".
    const COMPARED: &'static str;
    const SOURCES: &'static [Self::Source];

    fn pool(&self) -> &PgPool;
    fn process(&self) -> &Process;
    fn interval(&self) -> Duration;
    fn metrics(&self) -> AuditMetrics;

    /// Lists a page of the subjects that changed since an instant, or of all, after the previous page.
    fn list_page(
        &self,
        source: Self::Source,
        since: Option<Timestamp>,
        after: Option<String>,
    ) -> impl Future<Output = Result<Page<Self::Id>, InternalError>> + Send;

    /// Compares up to [`PAGE_SIZE`] subjects.
    fn find_differences(
        &self,
        ids: &[Self::Id],
    ) -> impl Future<Output = Result<Differences<Self::Id, Self::Difference>, InternalError>> + Send;

    /// Repairs the differences that are safe to repair. Returns the subjects for which that succeeded.
    fn repair(
        &self,
        differences: &[(Self::Id, Self::Difference)],
    ) -> impl Future<Output = Vec<Self::Id>> + Send;
}

/// The metrics of an audit: runs by result, differences by kind.
#[derive(Debug, Clone, Copy)]
pub struct AuditMetrics {
    pub runs: &'static Counter,
    pub differences: &'static Gauge,
}

/// A page of subjects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<Id> {
    pub ids: Vec<Id>,
    /// What the next page follows; `None` after the last page.
    pub next: Option<String>,
}

impl<Id: Display> Page<Id> {
    /// Creates a page of which the next one follows the last id.
    #[must_use]
    pub fn by_id(ids: Vec<Id>) -> Self {
        let next = ids.last().filter(|_| ids.len() >= PAGE_SIZE).map(Id::to_string);
        Self { ids, next }
    }
}

/// The result of an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditReport<Id, Difference> {
    /// Number of subjects, with those that were listed repeatedly.
    pub compared: usize,
    pub differences: Differences<Id, Difference>,
    pub repaired: Vec<Id>,
}

impl<Id, Difference> Default for AuditReport<Id, Difference> {
    fn default() -> Self {
        Self {
            compared: 0,
            differences: Vec::new(),
            repaired: Vec::new(),
        }
    }
}

/// The report of an audit `A`.
pub type ReportOf<A> = AuditReport<<A as Audit>::Id, <A as Audit>::Difference>;

/// Audits what changed since the previous audit, if that is due. Returns `None` if it is not, or another replica audits.
///
/// # Errors
/// A service is unavailable. The audit is repeated when its lease has expired.
pub async fn audit_due<A: Audit>(audit: &A) -> Result<Option<ReportOf<A>>, InternalError> {
    let mut conn = audit.pool().acquire().await?;
    let Some(lease) = progress::lease_due(&mut conn, A::NAME, LEASE).await? else {
        return Ok(None);
    };
    drop(conn);
    let since = lease.audited_until.map(|until| until - OVERLAP);
    compare_all(audit, since, Some(lease)).await
}

/// Audits everything.
///
/// # Errors
/// A service is unavailable.
pub async fn audit_all<A: Audit>(audit: &A) -> Result<ReportOf<A>, InternalError> {
    Ok(compare_all(audit, None, None).await?.unwrap_or_default())
}

/// Returns `None` if the lease was lost.
async fn compare_all<A: Audit>(
    audit: &A,
    since: Option<Timestamp>,
    lease: Option<AuditLease>,
) -> Result<Option<ReportOf<A>>, InternalError> {
    let mut report = AuditReport::default();
    let mut lease = lease;
    let sources = A::SOURCES.iter().copied().map(Some);
    // The differences of previous audits come last, as `None`.
    for source in sources.chain([None]) {
        let mut after = None;
        loop {
            if audit.process().shutdown.is_cancelled() {
                return Err(anyhow::anyhow!("shutdown during the audit").into());
            }
            let page = match source {
                Some(source) => audit.list_page(source, since, after).await?,
                None => list_differing(audit, after).await?,
            };
            compare_page(audit, &page.ids, &mut report).await?;
            if let Some(held) = lease {
                let mut conn = audit.pool().acquire().await?;
                lease = progress::extend_lease(&mut conn, held, LEASE).await?;
                if lease.is_none() {
                    return Ok(None);
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    report.differences.sort_unstable();
    report.differences.dedup();
    if let Some(held) = lease {
        let mut conn = audit.pool().acquire().await?;
        progress::finish(&mut conn, held, audit.interval()).await?;
    }
    Ok(Some(report))
}

async fn list_differing<A: Audit>(audit: &A, after: Option<String>) -> Result<Page<A::Id>, InternalError> {
    let after = match after {
        Some(after) => after.parse().map_err(InternalError::invariant_violated)?,
        None => Uuid::nil(),
    };
    let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
    let mut conn = audit.pool().acquire().await?;
    let ids = progress::list_differing(&mut conn, A::NAME, after, limit).await?;
    let Page { ids, next } = Page::by_id(ids);
    Ok(Page {
        ids: ids.into_iter().map(A::Id::from).collect(),
        next,
    })
}

/// Compares subjects, repairs what is safe to repair, and stores the differences.
async fn compare_page<A: Audit>(
    audit: &A,
    ids: &[A::Id],
    report: &mut ReportOf<A>,
) -> Result<(), InternalError> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut found = audit.find_differences(ids).await?;
    let repaired = audit.repair(&found).await;
    if !repaired.is_empty() {
        found = audit.find_differences(ids).await?;
    }
    let subject_ids: Vec<Uuid> = ids.iter().map(|id| (*id).into()).collect();
    let differences: Vec<(Uuid, &'static str)> = found
        .iter()
        .map(|(id, difference)| ((*id).into(), difference.as_str()))
        .collect();
    let mut conn = audit.pool().acquire().await?;
    progress::replace_differences(&mut conn, A::NAME, &subject_ids, &differences).await?;
    report.compared += ids.len();
    report.differences.extend(found);
    report.repaired.extend(repaired);
    Ok(())
}
