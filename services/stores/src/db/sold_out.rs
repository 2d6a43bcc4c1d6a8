//! What stores are out of.

use sqlx::PgConnection;
use types::{ChoiceId, ItemId, SizeId, StoreId};
use uuid::Uuid;

use crate::domain::sold_out::{SoldOut, Subject};

/// What a store is out of.
///
/// # Errors
/// The database's.
pub async fn of(conn: &mut PgConnection, store: StoreId) -> Result<SoldOut, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT subject, subject_id FROM sold_out WHERE store_id = $1",
        store as StoreId
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .filter_map(|row| subject(&row.subject, row.subject_id))
        .collect())
}

/// What rows say, given by their columns.
pub fn of_columns(subjects: Option<Vec<String>>, ids: Option<Vec<Uuid>>) -> SoldOut {
    subjects
        .into_iter()
        .flatten()
        .zip(ids.into_iter().flatten())
        .filter_map(|(word, id)| subject(&word, id))
        .collect()
}

fn subject(word: &str, id: Uuid) -> Option<Subject> {
    match word {
        "item" => Some(Subject::Item(ItemId::from_uuid(id))),
        "size" => Some(Subject::Size(SizeId::from_uuid(id))),
        "choice" => Some(Subject::Choice(ChoiceId::from_uuid(id))),
        // The table holds no other.
        _ => None,
    }
}

/// Sets what a store is out of, in place of what it was.
///
/// # Errors
/// The database's.
pub async fn replace(tx: &mut PgConnection, store: StoreId, subjects: &[Subject]) -> Result<(), sqlx::Error> {
    let (words, ids): (Vec<String>, Vec<Uuid>) = subjects
        .iter()
        .map(|subject| match subject {
            Subject::Item(id) => ("item".to_owned(), id.uuid()),
            Subject::Size(id) => ("size".to_owned(), id.uuid()),
            Subject::Choice(id) => ("choice".to_owned(), id.uuid()),
        })
        .unzip();
    sqlx::query!("DELETE FROM sold_out WHERE store_id = $1", store as StoreId)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "INSERT INTO sold_out (store_id, subject, subject_id)
         SELECT $1, subject, id FROM unnest($2::text[], $3::uuid[]) AS out (subject, id)",
        store as StoreId,
        &words,
        &ids,
    )
    .execute(tx)
    .await?;
    Ok(())
}
