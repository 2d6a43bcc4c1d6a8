//! Compares purchases with their charges in payments, in both directions.

use std::{collections::HashMap, time::Duration};

use jiff::Timestamp;
use kit::{
    InternalError,
    audit::{Audit, AuditMetrics, Difference, PAGE_SIZE, Page},
    lifecycle::Process,
    metrics::{Counter, Gauge},
};
use sqlx::PgPool;
use types::PurchaseId;

use crate::{
    GiftCards,
    db::{money_audit, purchases},
    domain::{
        money_audit::{AuditedCharge, AuditedPurchase, MoneyDifference, compare},
        purchase::PurchaseState,
    },
};

static RUNS: Counter = Counter::new("gift_cards.money_audit.runs", "Audits of money by result");
static DIFFERENCES: Gauge = Gauge::new(
    "gift_cards.money_audit.differences",
    "Purchases whose charge differs, by kind of difference",
);

/// The audit of the purchases.
#[derive(Debug, Clone)]
pub struct MoneyAudit(pub GiftCards);

/// Which purchases an audit compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Purchases,
    Charges,
}

impl Difference for MoneyDifference {
    const ALL: &'static [Self] = Self::ALL;

    fn as_str(self) -> &'static str {
        self.as_str()
    }
}

impl Audit for MoneyAudit {
    type Id = PurchaseId;
    type Difference = MoneyDifference;
    type Source = Source;

    const NAME: &'static str = "money_audit";
    const COMPARED: &'static str = "purchases and their charges";
    const SOURCES: &'static [Source] = &[Source::Purchases, Source::Charges];

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
    ) -> Result<Page<PurchaseId>, InternalError> {
        let Self(cx) = self;
        if source == Source::Charges {
            return cx.clients.payments.list_changed_charges(since, after).await;
        }
        let after = after
            .map(|id| id.parse().map_err(InternalError::invariant_violated))
            .transpose()?;
        let limit = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
        let mut conn = cx.pool.acquire().await?;
        let ids = money_audit::list_changed(&mut conn, since, after, limit).await?;
        Ok(Page::by_id(ids))
    }

    /// Reads the purchases after their charges: a purchase that changes in between is not settled.
    async fn find_differences(
        &self,
        ids: &[PurchaseId],
    ) -> Result<Vec<(PurchaseId, MoneyDifference)>, InternalError> {
        let Self(cx) = self;
        let mut conn = cx.pool.acquire().await?;
        let settled_before = money_audit::settled_before(&mut conn, cx.rules.settle_time()).await?;
        drop(conn);
        let mut charges: HashMap<PurchaseId, Vec<AuditedCharge>> = HashMap::new();
        for (id, charge) in cx.clients.payments.find_charges(ids).await? {
            charges.entry(id).or_default().push(charge);
        }
        let mut conn = cx.pool.acquire().await?;
        let purchases = money_audit::read(&mut conn, ids, settled_before).await?;
        let purchases: HashMap<PurchaseId, AuditedPurchase> = purchases
            .into_iter()
            .map(|purchase| (purchase.id, purchase))
            .collect();
        let differences = ids.iter().flat_map(|id| {
            let charges = charges.get(id).map_or(&[][..], Vec::as_slice);
            let differences = compare(purchases.get(id), charges, settled_before);
            differences.into_iter().map(|difference| (*id, difference))
        });
        Ok(differences.collect())
    }

    /// Closes the charges of failed purchases, as recovery does. Stops at the first failure, because a service that is unavailable would
    /// delay the audit beyond its lease. Other differences are only reported.
    async fn repair(&self, differences: &[(PurchaseId, MoneyDifference)]) -> Vec<PurchaseId> {
        let mut repaired = Vec::new();
        for (id, difference) in differences {
            if *difference != MoneyDifference::ChargeNotReleased {
                continue;
            }
            match close_failed(&self.0, *id).await {
                Ok(()) => {
                    tracing::warn!(purchase_id = %id, "charge of a failed purchase closed");
                    repaired.push(*id);
                }
                Err(error) => {
                    tracing::warn!(purchase_id = %id, %error, "charge not closed; the next audit will retry");
                    break;
                }
            }
        }
        repaired
    }
}

async fn close_failed(cx: &GiftCards, id: PurchaseId) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let failed = purchases::find(&mut conn, id)
        .await?
        .filter(|purchase| purchase.state == PurchaseState::Failed)
        .ok_or_else(|| InternalError::invariant_violated("the purchase has not failed"))?;
    drop(conn);
    cx.clients.payments.close_charge(&failed).await
}
