//! Compares orders with their charges in payments and their holds in gift-cards, in both directions.

use std::{collections::HashMap, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kit::{
    InternalError,
    metrics::{Counter, Gauge},
};
use types::OrderId;
use uuid::Uuid;

use crate::{
    Ordering,
    db::money_audit::{self, AuditLease},
    domain::money_audit::{AuditedOrder, MoneyDifference, compare},
};

static RUNS: Counter = Counter::new("ordering.money_audit.runs", "Audits of money by result");
static DIFFERENCES: Gauge = Gauge::new(
    "ordering.money_audit.differences",
    "Orders whose charge or hold differs, by kind of difference",
);

/// The other services list up to this many charges or holds.
const PAGE_SIZE: usize = 500;
/// Longer than a page takes, which extends it.
const LEASE: Duration = Duration::from_mins(2);
/// A transaction commits later than the time of its change, and the clocks of other services differ. Longer than the settle time.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// The differences of an audit, by order.
#[derive(Debug, Default)]
pub struct MoneyAudit {
    pub orders: usize,
    pub differences: Vec<(OrderId, MoneyDifference)>,
    /// Orders whose money was released.
    pub repaired: Vec<OrderId>,
}

/// Which orders an audit compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Orders,
    Charges,
    Holds,
    /// Orders that no store has accepted for long.
    Old,
    /// Orders with differences that a previous audit found.
    Differences,
}

/// Audits the orders that changed since the previous audit, or whose charge or hold did, if that is due. Returns `None` if it is not, or
/// another replica audits.
///
/// # Errors
/// A service is unavailable. The audit is repeated when its lease has expired.
pub async fn audit_due_money(cx: &Ordering) -> Result<Option<MoneyAudit>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let Some(lease) = money_audit::lease_due(&mut conn, LEASE).await? else {
        return Ok(None);
    };
    drop(conn);
    let since = lease.audited_until.map(|until| until - OVERLAP);
    let audit = audit(cx, since, Some(lease)).await?;
    if let Some(audit) = &audit {
        report(audit);
    }
    Ok(audit)
}

/// Audits all orders, charges and holds.
///
/// # Errors
/// A service is unavailable.
pub async fn audit_all_money(cx: &Ordering) -> Result<MoneyAudit, InternalError> {
    Ok(audit(cx, None, None).await?.unwrap_or_default())
}

/// Exports the counter of audits before the first one, so that an alert finds it in each process.
pub(crate) fn export_runs() {
    for result in ["consistent", "inconsistent", "failed"] {
        RUNS.add(0, &[("result", result)]);
    }
}

/// Records that an audit failed.
pub(crate) fn report_failure(error: &InternalError) {
    RUNS.add(1, &[("result", "failed")]);
    tracing::warn!(%error, "audit of money failed; will retry");
}

/// Sets the metric to the differences that are stored, so that all replicas report the same.
pub async fn record_differences(cx: &Ordering) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let counts: HashMap<MoneyDifference, i64> = money_audit::count_differences(&mut conn)
        .await?
        .into_iter()
        .collect();
    for kind in MoneyDifference::ALL {
        let count = counts.get(kind).copied().unwrap_or_default();
        DIFFERENCES.set_count(count, &[("kind", kind.as_str())]);
    }
    Ok(())
}

/// Returns `None` if the lease was lost.
async fn audit(
    cx: &Ordering,
    since: Option<Timestamp>,
    lease: Option<AuditLease>,
) -> Result<Option<MoneyAudit>, InternalError> {
    let mut audit = MoneyAudit::default();
    let mut lease = lease;
    for source in [
        Source::Orders,
        Source::Charges,
        Source::Holds,
        Source::Old,
        Source::Differences,
    ] {
        let mut after = Cursor::default();
        loop {
            if cx.process.shutdown.is_cancelled() {
                return Err(anyhow::anyhow!("shutdown during the audit of money").into());
            }
            let order_ids = list_page(cx, source, since, &mut after).await?;
            let is_last = order_ids.len() < PAGE_SIZE;
            audit_page(cx, &order_ids, &mut audit).await?;
            if let Some(held) = lease {
                let mut conn = cx.pool.acquire().await?;
                lease = money_audit::extend_lease(&mut conn, held, LEASE).await?;
                if lease.is_none() {
                    return Ok(None);
                }
            }
            if is_last {
                break;
            }
        }
    }
    audit.differences.sort_unstable();
    audit.differences.dedup();
    if let Some(held) = lease {
        let mut conn = cx.pool.acquire().await?;
        money_audit::finish(&mut conn, held, cx.rules.audit_interval()).await?;
    }
    Ok(Some(audit))
}

/// The position after a page.
#[derive(Debug, Default)]
struct Cursor {
    order_id: Option<OrderId>,
    charge_id: Option<String>,
}

async fn list_page(
    cx: &Ordering,
    source: Source,
    since: Option<Timestamp>,
    after: &mut Cursor,
) -> Result<Vec<OrderId>, InternalError> {
    let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
    let order_ids = match source {
        Source::Orders => {
            let mut conn = cx.pool.acquire().await?;
            money_audit::list_changed(&mut conn, since, after.order_id, limit).await?
        }
        Source::Old => {
            let mut conn = cx.pool.acquire().await?;
            money_audit::list_old(&mut conn, cx.rules.max_hold_age(), after.order_id, limit).await?
        }
        Source::Differences => {
            let mut conn = cx.pool.acquire().await?;
            money_audit::list_differing(&mut conn, after.order_id, limit).await?
        }
        Source::Charges => {
            let page = cx
                .clients
                .payments
                .list_changed_charges(since, after.charge_id.take())
                .await?;
            after.charge_id = page.last;
            page.charges.into_iter().map(|(order_id, _)| order_id).collect()
        }
        Source::Holds => {
            let holds = cx
                .clients
                .gift_cards
                .list_changed_holds(since, after.order_id)
                .await?;
            holds.into_iter().map(|(order_id, _)| order_id).collect()
        }
    };
    after.order_id = order_ids.last().copied().or(after.order_id);
    Ok(order_ids)
}

/// Compares orders, releases the money of those that have ended, and stores the differences.
async fn audit_page(
    cx: &Ordering,
    order_ids: &[OrderId],
    audit: &mut MoneyAudit,
) -> Result<(), InternalError> {
    if order_ids.is_empty() {
        return Ok(());
    }
    let mut found = find_differences(cx, order_ids).await?;
    let repaired = release_ended(cx, &found).await;
    if !repaired.is_empty() {
        found = find_differences(cx, order_ids).await?;
    }
    let ids: Vec<Uuid> = order_ids.iter().map(|id| id.uuid()).collect();
    let mut conn = cx.pool.acquire().await?;
    money_audit::replace_differences(&mut conn, &ids, &found).await?;
    audit.orders += order_ids.len();
    audit.differences.extend(found);
    audit.repaired.extend(repaired);
    Ok(())
}

/// Reads the orders after their money: an order that changes in between is not settled.
async fn find_differences(
    cx: &Ordering,
    order_ids: &[OrderId],
) -> Result<Vec<(OrderId, MoneyDifference)>, InternalError> {
    let (charges, holds) = tokio::try_join!(
        cx.clients.payments.find_charges(order_ids),
        cx.clients.gift_cards.find_holds(order_ids),
    )?;
    let (charges, holds): (HashMap<_, _>, HashMap<_, _>) =
        (charges.into_iter().collect(), holds.into_iter().collect());
    let ids: Vec<Uuid> = order_ids.iter().map(|id| id.uuid()).collect();
    let mut conn = cx.pool.acquire().await?;
    let orders = money_audit::read(&mut conn, &ids, cx.rules.settle_time(), cx.rules.max_hold_age()).await?;
    let orders: HashMap<OrderId, AuditedOrder> = orders.into_iter().map(|order| (order.id, order)).collect();
    let differences = order_ids.iter().flat_map(|id| {
        let differences = compare(orders.get(id), charges.get(id), holds.get(id));
        differences.into_iter().map(|difference| (*id, difference))
    });
    Ok(differences.collect())
}

/// Releases charges and holds of orders that have ended, as recovery does. Returns the orders for which that succeeded. Stops at the first
/// failure, because a service that is unavailable would delay the audit beyond its lease. Other differences are only reported.
async fn release_ended(cx: &Ordering, differences: &[(OrderId, MoneyDifference)]) -> Vec<OrderId> {
    let mut repaired = Vec::new();
    for (order_id, difference) in differences {
        let released = match difference {
            MoneyDifference::ChargeNotReleased => cx.clients.payments.close_charge(*order_id).await,
            MoneyDifference::HoldNotReleased => cx.clients.gift_cards.close_hold(*order_id).await,
            _ => continue,
        };
        match released {
            Ok(()) => {
                tracing::warn!(%order_id, %difference, "money of an ended order released");
                repaired.push(*order_id);
            }
            Err(error) => {
                tracing::warn!(%order_id, %error, "money not released; the next audit will retry");
                break;
            }
        }
    }
    repaired
}

fn report(audit: &MoneyAudit) {
    if audit.differences.is_empty() {
        RUNS.add(1, &[("result", "consistent")]);
        tracing::info!(orders = audit.orders, "orders match their charges and holds");
    } else {
        RUNS.add(1, &[("result", "inconsistent")]);
        for (order_id, difference) in &audit.differences {
            tracing::error!(%order_id, %difference, "the money of an order differs; see `ordering audit`");
        }
    }
}
