//! Store credentials.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{CredentialId, StoreId};

use crate::domain::credential::{ListedCredential, StoreCredential};

pub(crate) async fn find_by_hash(
    conn: &mut PgConnection,
    secret_hash: &[u8; 32],
) -> Result<Option<StoreCredential>, sqlx::Error> {
    sqlx::query_as!(
        StoreCredential,
        r#"SELECT credential_id AS "id: CredentialId", all_stores,
                  ARRAY(SELECT store_id FROM store_credential_stores s WHERE s.credential_id = c.credential_id
                        ORDER BY store_id) AS "store_ids!: Vec<StoreId>"
           FROM store_credentials c WHERE secret_hash = $1"#,
        secret_hash.as_slice(),
    )
    .fetch_optional(conn)
    .await
}

/// Inserts a credential unless one with the same secret exists.
///
/// # Errors
/// Violates `store_credential_stores_store_fkey` if a store does not exist.
pub(crate) async fn insert(
    tx: &mut PgConnection,
    credential: &StoreCredential,
    secret_hash: &[u8; 32],
    label: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO store_credentials (credential_id, secret_hash, label, all_stores, created_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT store_credentials_secret_unique DO NOTHING",
        credential.id as CredentialId,
        secret_hash.as_slice(),
        label,
        credential.all_stores,
        now.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query!(
        "INSERT INTO store_credential_stores (credential_id, store_id) SELECT $1, unnest($2::uuid[])",
        credential.id as CredentialId,
        &credential.store_ids as &[StoreId],
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Lists the credentials that give access to a store, or all of them, the oldest first.
pub(crate) async fn list(
    conn: &mut PgConnection,
    store_id: Option<StoreId>,
) -> Result<Vec<ListedCredential>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT credential_id AS "id: CredentialId", all_stores, label, created_at AS "created_at: SqlTimestamp",
                  ARRAY(SELECT store_id FROM store_credential_stores s WHERE s.credential_id = c.credential_id
                        ORDER BY store_id) AS "store_ids!: Vec<StoreId>"
           FROM store_credentials c
           WHERE $1::uuid IS NULL OR all_stores
                 OR EXISTS (SELECT FROM store_credential_stores s WHERE s.credential_id = c.credential_id AND store_id = $1)
           ORDER BY created_at, credential_id"#,
        store_id as Option<StoreId>,
    )
    .fetch_all(conn)
    .await?;
    let listed = rows.into_iter().map(|row| ListedCredential {
        credential: StoreCredential {
            id: row.id,
            all_stores: row.all_stores,
            store_ids: row.store_ids,
        },
        label: row.label,
        created_at: row.created_at.to_jiff(),
    });
    Ok(listed.collect())
}

/// Returns whether the credential existed.
pub(crate) async fn delete(conn: &mut PgConnection, id: CredentialId) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "DELETE FROM store_credentials WHERE credential_id = $1",
        id as CredentialId
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected() == 1)
}
