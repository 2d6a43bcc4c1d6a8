//! An audit of the databases and the provider in both directions: each order has exactly the money, capacity, discount and points
//! that its status requires, and each of those belongs to an order; purchases of stored value and debts are paid once. It reads with
//! plain SQL, independent of the services' code.

mod balances;
mod orders;
mod orphans;
mod purchases;
mod records;

use std::{collections::BTreeMap, fmt};

use serde_json::Value;
use sqlx::PgConnection;

pub use balances::ledger_findings;
pub use records::Records;

use super::Stack;

/// A violated rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub rule: &'static str,
    /// Id of the order, account, store or database that violates it.
    pub subject: String,
    pub detail: String,
}

impl Finding {
    fn new(rule: &'static str, subject: impl fmt::Display, detail: impl fmt::Display) -> Self {
        Self {
            rule,
            subject: subject.to_string(),
            detail: detail.to_string(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} ({})", self.rule, self.subject, self.detail)
    }
}

/// A connection to the database of each service.
pub struct Databases(BTreeMap<&'static str, PgConnection>);

impl Databases {
    pub async fn open(stack: &Stack) -> Self {
        let mut databases = BTreeMap::new();
        for (service, ..) in super::seeds::SERVICES {
            databases.insert(service, stack.database(service).await);
        }
        Self(databases)
    }

    pub fn get(&mut self, service: &str) -> &mut PgConnection {
        self.0.get_mut(service).unwrap()
    }
}

/// Returns all violated rules. Orders that are being placed and effects that are not yet executed violate some, so the caller
/// repeats the audit until the system has come to rest.
pub async fn audit(databases: &mut Databases, provider: &Value) -> Vec<Finding> {
    let records = Records::read(databases, provider).await;
    let mut findings = orders::check(&records);
    findings.extend(orphans::check(&records));
    findings.extend(balances::check(databases).await);
    findings.extend(purchases::check(databases, provider).await);
    findings
}
