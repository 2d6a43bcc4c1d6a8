//! Audit of charges: compares each charge with its refunds, disputes, debt, effects and published events.

mod amounts;
mod debts;
mod effects;
mod events;
mod states;

use std::fmt;

use jiff::Timestamp;
use types::ChargeId;

use super::charge::{Charge, ChargeEffect};
use super::event_kind::EventKind;
use super::subject::ChargeSubject;

/// A charge with the records that belong to it. Amounts are in minor units.
#[derive(Debug, Clone)]
pub struct AuditedCharge {
    pub charge: Charge,
    pub is_fulfilled: bool,
    pub updated_at: Timestamp,
    pub refunds: RefundTotals,
    pub disputes: DisputeTotals,
    /// What the consumer owes because the charge was returned.
    pub debt: Option<AuditedDebt>,
    /// The attempt to recover a debt that the charge pays for.
    pub recovery: Option<AuditedRecovery>,
    pub events: Vec<EventTotal>,
    /// Names of the effects of the charge that are planned or failed.
    pub unfinished_effects: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct RefundTotals {
    /// Sum of the refunds that the provider accepted, including those that failed later.
    pub accepted: i64,
    pub failed: i64,
    pub planned: i64,
    /// Number of planned refunds that have no planned or failed effect.
    pub without_effect: i64,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct DisputeTotals {
    pub count: i64,
    pub max_amount: i64,
}

#[derive(Debug, Clone, Copy)]
pub struct AuditedDebt {
    pub amount: i64,
    pub penalty_fee: i64,
    pub is_fee_waived: bool,
    pub is_recovered: bool,
    pub is_written_off: bool,
    pub succeeded_recoveries: i64,
}

#[derive(Debug, Clone)]
pub struct AuditedRecovery {
    /// Name in the database.
    pub state: String,
    /// Amount and penalty fee of the debt.
    pub debt_total: i64,
    pub is_debt_recovered: bool,
}

/// The events of one kind about a charge.
#[derive(Debug, Clone, Copy)]
pub struct EventTotal {
    pub kind: EventKind,
    pub count: i64,
    pub amount: i64,
    pub min_amount: i64,
    pub max_amount: i64,
}

/// A difference between a charge and its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditFinding {
    pub charge_id: ChargeId,
    pub subject: ChargeSubject,
    pub difference: Difference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// The state breaks a rule.
    Rule(&'static str),
    /// An amount or a number differs.
    Value {
        name: &'static str,
        expected: i64,
        found: i64,
    },
    /// The number of events of a kind differs.
    EventCount { kind: EventKind, found: i64 },
    /// The amount of an event of a kind differs.
    EventAmount { kind: EventKind, expected: i64 },
    /// The effect is due for a long time and not planned.
    EffectNotPlanned(ChargeEffect),
}

impl AuditedCharge {
    /// Returns the differences. Empty if the charge is consistent.
    pub fn audit(&self, now: Timestamp) -> Vec<AuditFinding> {
        let differences = [
            self.check_state(),
            self.check_amounts(),
            self.check_events(),
            self.check_effects(now),
            self.check_debt(),
            self.check_recovery(),
        ];
        let charge = &self.charge;
        differences
            .into_iter()
            .flatten()
            .map(|difference| AuditFinding {
                charge_id: charge.id,
                subject: charge.subject,
                difference,
            })
            .collect()
    }
}

impl fmt::Display for AuditFinding {
    /// Formats one line with fields separated by tabs.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let purpose = self.subject.purpose().as_str();
        write!(
            out,
            "{}\t{purpose}\t{}\t{}",
            self.charge_id, self.subject, self.difference
        )
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => out.write_str(rule),
            Self::Value {
                name,
                expected,
                found,
            } => write!(out, "{name}: expected {expected}, found {found}"),
            Self::EventCount { kind, found } => {
                write!(out, "events {}: unexpected number {found}", kind.as_str())
            }
            Self::EventAmount { kind, expected } => {
                write!(out, "events {}: expected amount {expected}", kind.as_str())
            }
            Self::EffectNotPlanned(effect) => {
                write!(out, "effect {} is due but not planned", effect.as_str())
            }
        }
    }
}

/// Returns a difference if the values are not equal.
fn compare(name: &'static str, expected: i64, found: i64) -> Option<Difference> {
    (expected != found).then_some(Difference::Value {
        name,
        expected,
        found,
    })
}

#[cfg(test)]
mod tests;
