//! Turns: how often what a store can promise has changed. [`super::capacity::reserve`] writes only at the turn that its
//! plan was made at, and takes the next one with it.

use sqlx::PgConnection;
use types::StoreId;

/// Takes a turn at each of these stores: no plan made before is written any more, and nobody else has a turn there until
/// the transaction ends.
///
/// # Errors
/// The database's; `store_turns_store_fkey` where there is no such store.
pub async fn take(tx: &mut PgConnection, stores: &[StoreId]) -> Result<(), sqlx::Error> {
    // In order, so that two who take several cannot hold each other up.
    sqlx::query!(
        "INSERT INTO store_turns AS now (store_id, turn)
         SELECT store_id, 1 FROM unnest($1::uuid[]) AS taking (store_id) ORDER BY store_id
         ON CONFLICT ON CONSTRAINT store_turns_pkey DO UPDATE SET turn = now.turn + 1",
        stores as &[StoreId],
    )
    .execute(tx)
    .await?;
    Ok(())
}
