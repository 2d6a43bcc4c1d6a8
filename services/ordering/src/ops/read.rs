//! Reading orders: row to proto.

use jiff::Timestamp;
use callers::Caller;
use kit::{InternalError, ServiceError};
use proto::ordering::v1 as pb;
use sqlx::PgConnection;
use types::{ConsumerId, OrderId, Page, StoreId};
use uuid::Uuid;

use crate::{
    Ordering, convert,
    db::{
        history,
        orders::{self, Row},
    },
    domain::order::{Actor, Status},
    ops::transition::StepError,
};

/// Why there is no queue to see.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// Not the system of that store, or of any.
    #[error("not the caller's own")]
    NotYours,
    /// Something broke.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(QueueError);

impl From<QueueError> for ServiceError {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::NotYours => callers::forbidden(),
            QueueError::Internal(fault) => fault.into(),
        }
    }
}

/// One order of a consumer.
///
/// # Errors
/// [`StepError::Unknown`]: no such order, or another's.
pub async fn get(cx: &Ordering, consumer: ConsumerId, order: OrderId) -> Result<pb::Order, StepError> {
    let mut conn = cx.pool.acquire().await?;
    let row = orders::find(&mut conn, order)
        .await?
        .filter(|row| row.consumer() == consumer);
    Ok(with_history(&mut conn, row.ok_or(StepError::Unknown)?).await?)
}

/// A consumer's orders, newest first.
///
/// # Errors
/// The database's.
pub async fn list(cx: &Ordering, consumer: ConsumerId, page: Page) -> Result<Vec<pb::Order>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let rows = orders::list(&mut conn, consumer, page).await?;
    with_histories(&mut conn, rows).await
}

/// A consumer's running orders, soonest first.
///
/// # Errors
/// The database's.
pub async fn list_active(cx: &Ordering, consumer: ConsumerId) -> Result<Vec<pb::Order>, InternalError> {
    let mut conn = cx.pool.acquire().await?;
    let rows = orders::list_active(&mut conn, consumer).await?;
    with_histories(&mut conn, rows).await
}

/// What a store's system has to do: of one store, or of all that it speaks for.
///
/// # Errors
/// [`QueueError::NotYours`]: a store that it does not speak for.
pub async fn list_queue(
    cx: &Ordering,
    caller: &Caller,
    store: Option<StoreId>,
) -> Result<Vec<pb::Order>, QueueError> {
    let Caller::Store { stores, .. } = caller else {
        return Err(QueueError::NotYours);
    };
    let wanted: Option<Vec<Uuid>> = match store {
        Some(store) if caller.store(store).is_ok() => Some(vec![store.uuid()]),
        Some(_) => return Err(QueueError::NotYours),
        None => stores
            .as_ref()
            .map(|stores| stores.iter().map(|store| store.uuid()).collect()),
    };
    let mut conn = cx.pool.acquire().await?;
    let rows = orders::list_queue(&mut conn, wanted.as_deref()).await?;
    Ok(with_histories(&mut conn, rows).await?)
}

/// An order with its history.
///
/// # Errors
/// The database's.
pub async fn with_history(conn: &mut PgConnection, row: Row) -> Result<pb::Order, InternalError> {
    let entries = history::of(conn, &[row.id]).await?;
    let mut histories = convert::histories(entries)?;
    let own = histories.remove(&row.id).unwrap_or_default();
    convert::order(row, own)
}

/// The history of an order that takes its first step after its beginning: nothing else is noted while it is placed.
pub fn begun_then(row: &Row, status: Status, at: Timestamp, by: Actor) -> Vec<pb::StatusChange> {
    let actor = |by| match by {
        Actor::Consumer => pb::Actor::Consumer,
        Actor::Store => pb::Actor::Store,
        Actor::System => pb::Actor::System,
    };
    let change = |status, at: Timestamp, by: Actor| pb::StatusChange {
        status: convert::status(status).into(),
        at: at.to_string(),
        by: actor(by).into(),
    };
    vec![
        change(Status::PaymentPending, row.created_at.to_jiff(), Actor::Consumer),
        change(status, at, by),
    ]
}

async fn with_histories(conn: &mut PgConnection, rows: Vec<Row>) -> Result<Vec<pb::Order>, InternalError> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut histories = convert::histories(history::of(conn, &ids).await?)?;
    rows.into_iter()
        .map(|row| {
            let own = histories.remove(&row.id).unwrap_or_default();
            convert::order(row, own)
        })
        .collect()
}
