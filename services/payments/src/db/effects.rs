//! Calls to the provider that must happen.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::telemetry;
use sqlx::PgConnection;
use types::{ChargeId, ConsumerId, PaymentMethodId};
use uuid::Uuid;

use super::unreadable;
use crate::domain::charge::Effect;

/// What is to be done to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// To a charge.
    Charge(ChargeId, Effect),
    /// Detach a payment method.
    Detach(PaymentMethodId),
    /// Give a consumer a card that pays nothing; only where the provider is a sandbox.
    AttachTestCard(ConsumerId),
}

/// A task that was claimed.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// What is to be done.
    pub task: Task,
    /// How often it has been tried, this time included.
    pub attempts: i32,
    /// Part of the idempotency key.
    pub key_series: i32,
    /// The trace that planned it.
    pub trace_parent: Option<String>,
}

impl Task {
    /// What is to be done, in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Charge(_, effect) => name(effect),
            Self::Detach(_) => "detach",
            Self::AttachTestCard(_) => "attach_test_card",
        }
    }

    const fn parts(self) -> (Uuid, &'static str) {
        let subject = match self {
            Self::Charge(id, _) => id.uuid(),
            Self::Detach(id) => id.uuid(),
            Self::AttachTestCard(id) => id.uuid(),
        };
        (subject, self.name())
    }

    fn read(subject: Uuid, kind: &str) -> Result<Self, sqlx::Error> {
        Ok(match kind {
            "capture" => Self::Charge(subject.into(), Effect::Capture),
            "void" => Self::Charge(subject.into(), Effect::Void),
            "refund" => Self::Charge(subject.into(), Effect::Refund),
            "detach" => Self::Detach(subject.into()),
            "attach_test_card" => Self::AttachTestCard(subject.into()),
            other => return Err(unreadable("kind", other)),
        })
    }
}

const fn name(effect: Effect) -> &'static str {
    match effect {
        Effect::Capture => "capture",
        Effect::Void => "void",
        Effect::Refund => "refund",
    }
}

impl Claimed {
    /// The idempotency key: the same for every try, until the provider has answered it with a failure of its own.
    #[must_use]
    pub fn key(&self) -> String {
        match self.task {
            Task::Charge(id, effect) => format!("{id}:{}:{}", name(effect), self.key_series),
            Task::Detach(id) => format!("{id}:detach:{}", self.key_series),
            Task::AttachTestCard(id) => format!("{id}:test-card:{}", self.key_series),
        }
    }
}

/// Plans a task once, however often it is asked; one that was given up gets another chance. The current span is what
/// it will be said to come from.
///
/// # Errors
/// The database's.
pub async fn plan(conn: &mut PgConnection, task: Task, at: Timestamp) -> Result<(), sqlx::Error> {
    let (subject, kind) = task.parts();
    sqlx::query!(
        "INSERT INTO effects (subject, kind, due_at, created_at, trace_parent) VALUES ($1, $2, $3, $3, $4)
         ON CONFLICT ON CONSTRAINT effects_pkey DO UPDATE
         SET state = 'planned', attempts = 0, due_at = excluded.due_at, trace_parent = excluded.trace_parent
         WHERE effects.state = 'gave_up'",
        subject,
        kind,
        at.to_sqlx(),
        telemetry::trace_parent(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Claims tasks that are due. Whoever dies with one loses it when `lease` is over.
///
/// # Errors
/// The database's.
pub async fn claim(
    conn: &mut PgConnection,
    now: Timestamp,
    lease: Duration,
    most: i64,
) -> Result<Vec<Claimed>, sqlx::Error> {
    let until = now + lease;
    let rows = sqlx::query!(
        "UPDATE effects SET due_at = $2, attempts = attempts + 1
         WHERE (subject, kind) IN (
             SELECT subject, kind FROM effects WHERE state = 'planned' AND due_at <= $1
             ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING subject, kind, attempts, key_series, trace_parent",
        now.to_sqlx(),
        until.to_sqlx(),
        most,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let task = Task::read(row.subject, &row.kind)?;
            Ok(Claimed {
                task,
                attempts: row.attempts,
                key_series: row.key_series,
                trace_parent: row.trace_parent,
            })
        })
        .collect()
}

/// Ends a task: it is done, or there is nothing to do any more.
///
/// # Errors
/// The database's.
pub async fn finish(conn: &mut PgConnection, task: Task) -> Result<(), sqlx::Error> {
    let (subject, kind) = task.parts();
    sqlx::query!(
        "UPDATE effects SET state = 'done' WHERE subject = $1 AND kind = $2",
        subject,
        kind
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Puts a task off; with a new key where the provider has answered the old one with a failure.
///
/// # Errors
/// The database's.
pub async fn put_off(
    conn: &mut PgConnection,
    task: Task,
    until: Timestamp,
    new_key: bool,
) -> Result<(), sqlx::Error> {
    let (subject, kind) = task.parts();
    sqlx::query!(
        "UPDATE effects SET due_at = $3, key_series = key_series + $4
         WHERE subject = $1 AND kind = $2 AND state = 'planned'",
        subject,
        kind,
        until.to_sqlx(),
        i32::from(new_key),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Gives a task up: from now on it is a person's.
///
/// # Errors
/// The database's.
pub async fn give_up(conn: &mut PgConnection, task: Task) -> Result<(), sqlx::Error> {
    let (subject, kind) = task.parts();
    sqlx::query!(
        "UPDATE effects SET state = 'gave_up' WHERE subject = $1 AND kind = $2",
        subject,
        kind
    )
    .execute(conn)
    .await?;
    Ok(())
}
