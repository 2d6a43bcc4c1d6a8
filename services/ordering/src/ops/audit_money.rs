//! Compares orders with their charges in payments and their holds in gift-cards, in both directions.

use std::{collections::HashMap, time::Duration};

use jiff::Timestamp;
use kit::{
    InternalError,
    audit::{Audit, AuditMetrics, Difference, PAGE_SIZE, Page},
    lifecycle::Process,
    metrics::{Counter, Gauge},
};
use sqlx::PgPool;
use types::OrderId;
use uuid::Uuid;

use crate::{
    Ordering,
    db::{clock, money_audit},
    domain::money_audit::{AuditedOrder, MoneyDifference, compare},
};

static RUNS: Counter = Counter::new("ordering.money_audit.runs", "Audits of money by result");
static DIFFERENCES: Gauge = Gauge::new(
    "ordering.money_audit.differences",
    "Orders whose charge or hold differs, by kind of difference",
);

/// The audit of the orders.
#[derive(Debug, Clone)]
pub struct MoneyAudit(pub Ordering);

/// Which orders an audit compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Orders,
    Charges,
    Holds,
    /// Orders that no store has accepted for long.
    Old,
}

impl Difference for MoneyDifference {
    const ALL: &'static [Self] = Self::ALL;

    fn as_str(self) -> &'static str {
        self.as_str()
    }
}

impl Audit for MoneyAudit {
    type Id = OrderId;
    type Difference = MoneyDifference;
    type Source = Source;

    const NAME: &'static str = "money_audit";
    const COMPARED: &'static str = "orders and their charges and holds";
    const SOURCES: &'static [Source] = &[Source::Orders, Source::Charges, Source::Holds, Source::Old];

    fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    fn process(&self) -> &Process {
        &self.0.process
    }

    fn interval(&self) -> Duration {
        self.0.rules.audit_interval()
    }

    fn metrics(&self) -> AuditMetrics {
        AuditMetrics {
            runs: &RUNS,
            differences: &DIFFERENCES,
        }
    }

    async fn list_page(
        &self,
        source: Source,
        since: Option<Timestamp>,
        after: Option<String>,
    ) -> Result<Page<OrderId>, InternalError> {
        let Self(cx) = self;
        if source == Source::Charges {
            return cx.clients.payments.list_changed_charges(since, after).await;
        }
        let after: Option<OrderId> = after
            .map(|id| id.parse().map_err(InternalError::invariant_violated))
            .transpose()?;
        let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
        let order_ids = if source == Source::Holds {
            let holds = cx.clients.gift_cards.list_changed_holds(since, after).await?;
            holds.into_iter().map(|(order_id, _)| order_id).collect()
        } else {
            let mut conn = cx.pool.acquire().await?;
            if source == Source::Old {
                money_audit::list_old(&mut conn, cx.rules.max_hold_age(), after, limit).await?
            } else {
                money_audit::list_changed(&mut conn, since, after, limit).await?
            }
        };
        Ok(Page::by_id(order_ids))
    }

    /// Reads the orders after their money: an order that changes in between is not settled.
    async fn find_differences(
        &self,
        order_ids: &[OrderId],
    ) -> Result<Vec<(OrderId, MoneyDifference)>, InternalError> {
        let Self(cx) = self;
        let mut conn = cx.pool.acquire().await?;
        let settled_before = clock::now(&mut conn).await? - cx.rules.settle_time();
        drop(conn);
        let (charges, holds) = tokio::try_join!(
            cx.clients.payments.find_charges(order_ids, settled_before),
            cx.clients.gift_cards.find_holds(order_ids),
        )?;
        let (charges, holds): (HashMap<_, _>, HashMap<_, _>) =
            (charges.into_iter().collect(), holds.into_iter().collect());
        let ids: Vec<Uuid> = order_ids.iter().map(|id| id.uuid()).collect();
        let mut conn = cx.pool.acquire().await?;
        let orders =
            money_audit::read(&mut conn, &ids, cx.rules.settle_time(), cx.rules.max_hold_age()).await?;
        let orders: HashMap<OrderId, AuditedOrder> =
            orders.into_iter().map(|order| (order.id, order)).collect();
        let differences = order_ids.iter().flat_map(|id| {
            let differences = compare(orders.get(id), charges.get(id), holds.get(id));
            differences.into_iter().map(|difference| (*id, difference))
        });
        Ok(differences.collect())
    }

    /// Releases charges and holds of orders that have ended, as recovery does. Stops at the first failure, because a service that is
    /// unavailable would delay the audit beyond its lease. Other differences are only reported.
    async fn repair(&self, differences: &[(OrderId, MoneyDifference)]) -> Vec<OrderId> {
        let clients = &self.0.clients;
        let mut repaired = Vec::new();
        for (order_id, difference) in differences {
            let released = match difference {
                MoneyDifference::ChargeNotReleased => clients.payments.close_charge(*order_id).await,
                MoneyDifference::HoldNotReleased => clients.gift_cards.close_hold(*order_id).await,
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
}
