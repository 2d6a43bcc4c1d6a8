//! Sold-out items, sizes and choices of stores.

use kit::InternalError;
use sqlx::PgConnection;
use types::{ChoiceId, ItemId, SizeId, StoreId};
use uuid::Uuid;

use crate::domain::sold_out::{SoldOut, SoldOutSubject};

pub(crate) async fn find(conn: &mut PgConnection, store_id: StoreId) -> Result<SoldOut, InternalError> {
    let rows = sqlx::query!(
        "SELECT subject, subject_id FROM sold_out WHERE store_id = $1",
        store_id as StoreId
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| parse_subject(&row.subject, row.subject_id))
        .collect()
}

/// Builds the sold-out subjects from aggregated columns, which are null if there are none.
pub(super) fn from_columns(
    subjects: Option<Vec<String>>,
    ids: Option<Vec<Uuid>>,
) -> Result<SoldOut, InternalError> {
    subjects
        .into_iter()
        .flatten()
        .zip(ids.into_iter().flatten())
        .map(|(subject, id)| parse_subject(&subject, id))
        .collect()
}

fn parse_subject(code: &str, id: Uuid) -> Result<SoldOutSubject, InternalError> {
    match code {
        "item" => Ok(SoldOutSubject::Item(ItemId::from_uuid(id))),
        "size" => Ok(SoldOutSubject::Size(SizeId::from_uuid(id))),
        "choice" => Ok(SoldOutSubject::Choice(ChoiceId::from_uuid(id))),
        _ => Err(InternalError::invariant_violated(format!(
            "unknown sold-out subject {code}"
        ))),
    }
}

/// Marks a subject as sold out or available. Returns whether that changed anything.
pub(crate) async fn set(
    tx: &mut PgConnection,
    store_id: StoreId,
    subject: SoldOutSubject,
    is_sold_out: bool,
) -> Result<bool, sqlx::Error> {
    let (code, id) = code_and_id(subject);
    let changed = if is_sold_out {
        sqlx::query!(
            "INSERT INTO sold_out (store_id, subject, subject_id) VALUES ($1, $2, $3)
             ON CONFLICT ON CONSTRAINT sold_out_pkey DO NOTHING",
            store_id as StoreId,
            code,
            id,
        )
        .execute(tx)
        .await?
    } else {
        sqlx::query!(
            "DELETE FROM sold_out WHERE store_id = $1 AND subject = $2 AND subject_id = $3",
            store_id as StoreId,
            code,
            id,
        )
        .execute(tx)
        .await?
    };
    Ok(changed.rows_affected() == 1)
}

const fn code_and_id(subject: SoldOutSubject) -> (&'static str, Uuid) {
    match subject {
        SoldOutSubject::Item(id) => ("item", id.uuid()),
        SoldOutSubject::Size(id) => ("size", id.uuid()),
        SoldOutSubject::Choice(id) => ("choice", id.uuid()),
    }
}

/// Replaces the sold-out subjects of a store.
pub(crate) async fn replace(
    tx: &mut PgConnection,
    store_id: StoreId,
    subjects: &[SoldOutSubject],
) -> Result<(), sqlx::Error> {
    let (codes, ids): (Vec<String>, Vec<Uuid>) = subjects
        .iter()
        .map(|subject| code_and_id(*subject))
        .map(|(code, id)| (code.to_owned(), id))
        .unzip();
    sqlx::query!("DELETE FROM sold_out WHERE store_id = $1", store_id as StoreId)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "INSERT INTO sold_out (store_id, subject, subject_id)
         SELECT $1, subject, id FROM unnest($2::text[], $3::uuid[]) AS sold_out (subject, id)",
        store_id as StoreId,
        &codes,
        &ids,
    )
    .execute(tx)
    .await?;
    Ok(())
}
