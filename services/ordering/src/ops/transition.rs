//! How an order takes a step: read, decide, and in one statement change it from exactly what was read, note it in the
//! history, publish it. Of two that race, one wins and the other is told what the order is now.

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError, idempotency::Key};
use proto::ordering::v1 as pb;
use sqlx::PgConnection;
use types::OrderId;

use crate::{
    Ordering,
    db::{
        orders::{self, Row},
        steps::{self, Change, Record},
    },
    domain::order::{Actor, Status, Step, WrongState},
    ops::{answer::Answer, fact, place::OPERATION, read},
};

/// How often a step is tried that others got in the way of.
const TRIES: u32 = 5;

/// Why an order did not take a step.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// There is no such order, or it is not the caller's.
    #[error("no such order")]
    Unknown,
    /// Its state does not allow the step.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(StepError);

impl From<StepError> for ServiceError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Unknown => {
                Self::new(ErrorCode::NotFound, "ORDER_UNKNOWN", "We do not know this order.")
            }
            StepError::WrongState(wrong) => {
                let message = match wrong.from {
                    Status::Cancelled => "This order was cancelled.",
                    Status::Rejected => "The store could not take this order.",
                    Status::Completed => "This order was picked up already.",
                    Status::Accepted | Status::Preparing | Status::Ready => {
                        "The store has started on this order."
                    }
                    Status::PaymentPending | Status::PaymentFailed => "This order was not placed.",
                    Status::Placed | Status::Scheduled => "The store has not accepted this order yet.",
                };
                Self::new(
                    ErrorCode::Conflict,
                    format!("ORDER_{}", wrong.from.as_str().to_uppercase()),
                    message,
                )
            }
            StepError::Internal(fault) => fault.into(),
        }
    }
}

/// Who takes which step, and why.
#[derive(Debug, Clone, Copy)]
pub struct Move<'a> {
    /// What is done.
    pub step: Step,
    /// By whose hand.
    pub by: Actor,
    /// For code; empty where there is nothing to say.
    pub reason: &'a str,
    /// For the person.
    pub message: &'a str,
}

impl Move<'static> {
    /// A step that needs no reason.
    #[must_use]
    pub const fn plain(step: Step, by: Actor) -> Self {
        Self {
            step,
            by,
            reason: "",
            message: "",
        }
    }
}

/// Takes a step. Repeating one that is done answers the order as it is.
///
/// # Errors
/// [`StepError`].
pub async fn transition(
    cx: &Ordering,
    order: OrderId,
    allowed: impl Fn(&Row) -> bool,
    wanted: Move<'_>,
) -> Result<pb::Order, StepError> {
    let mut tx = cx.pool.begin().await?;
    let row = within(cx, &mut tx, order, allowed, wanted).await?;
    let answer = read::with_history(&mut tx, row).await?;
    tx.commit().await?;
    Ok(answer)
}

/// The same in the caller's transaction; answers the order as it is then.
///
/// # Errors
/// [`StepError`].
pub async fn within(
    cx: &Ordering,
    conn: &mut PgConnection,
    order: OrderId,
    allowed: impl Fn(&Row) -> bool,
    wanted: Move<'_>,
) -> Result<Row, StepError> {
    for _ in 0..TRIES {
        let row = orders::find(conn, order)
            .await?
            .filter(&allowed)
            .ok_or(StepError::Unknown)?;
        let from: Status = row.status.parse().map_err(InternalError::broken)?;
        let to = match from.after(wanted.step) {
            Ok(to) => to,
            Err(_) if is_done(from, wanted.step) => return Ok(row),
            Err(wrong) => return Err(wrong.into()),
        };
        let now = cx.clock.now();
        let accept_by = (to == Status::Placed).then(|| accept_by(cx, now));
        let change = Change {
            status: to,
            reason: wanted.reason,
            message: wanted.message,
            placed_at: None,
            accept_by,
        };
        if let Some(changed) = apply(conn, &row, &change, wanted.by, now, None).await? {
            tracing::info!(order_id = %order, status = %to, "order moved");
            return Ok(changed);
        }
    }
    Err(InternalError::broken("an order kept changing").into())
}

/// Whether the order already is where the step leads.
const fn is_done(status: Status, step: Step) -> bool {
    matches!(
        (status, step),
        (Status::Accepted, Step::Accept)
            | (Status::Preparing, Step::Start)
            | (Status::Ready, Step::MarkReady)
            | (Status::Completed, Step::Complete)
            | (Status::Cancelled, Step::Cancel | Step::LosePayment)
            | (Status::Rejected, Step::Reject)
    )
}

/// By when a store has to accept an order that is placed now.
#[must_use]
pub fn accept_by(cx: &Ordering, now: Timestamp) -> Timestamp {
    now + std::time::Duration::from_secs(cx.rules.order_accept_seconds)
}

/// Changes an order from exactly the row that was read, with its history, its fact and, where the step ends its saga, the
/// answer that its key gives; in one statement. None: somebody was faster.
///
/// # Errors
/// The database's.
pub async fn apply(
    conn: &mut PgConnection,
    from: &Row,
    change: &Change<'_>,
    by: Actor,
    now: Timestamp,
    answer: Option<&Answer>,
) -> Result<Option<Row>, InternalError> {
    let changed = from.after(change);
    let fact = fact::of(&changed, change.status, now, fact::end(&changed))
        .ok_or_else(|| InternalError::broken("an order went back to its beginning"))?;
    let scope = from.consumer().to_string();
    let key = Key {
        scope: &scope,
        operation: OPERATION,
        key: &from.idempotency_key,
    };
    let answer = answer.map(Answer::encode).transpose()?;
    let record = Record {
        by,
        at: now,
        fact: &fact,
        answer: answer.as_deref().map(|answer| (key, answer)),
    };
    Ok(steps::advance(conn, from, change, &record)
        .await?
        .then_some(changed))
}
