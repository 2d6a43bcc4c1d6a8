//! Who may speak for a store.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{CredentialId, StoreId};

/// What a credential speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Its id.
    pub id: CredentialId,
    /// Whether it speaks for every store.
    pub all_stores: bool,
    /// The stores it speaks for.
    pub stores: Vec<StoreId>,
}

/// The credential of a secret's hash.
///
/// # Errors
/// The database's.
pub async fn by_hash(conn: &mut PgConnection, hash: &[u8; 32]) -> Result<Option<Credential>, sqlx::Error> {
    sqlx::query_as!(
        Credential,
        r#"SELECT credential_id AS "id: CredentialId", all_stores,
                  ARRAY(SELECT store_id FROM store_credential_stores s WHERE s.credential_id = c.credential_id
                        ORDER BY store_id) AS "stores!: Vec<StoreId>"
           FROM store_credentials c WHERE secret_hash = $1"#,
        hash.as_slice(),
    )
    .fetch_optional(conn)
    .await
}

/// Keeps a credential; one of the same secret stays as it is. Says whether it is new.
///
/// # Errors
/// The database's; a store that there is not.
pub async fn add(
    tx: &mut PgConnection,
    credential: &Credential,
    hash: &[u8; 32],
    label: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let written = sqlx::query!(
        "INSERT INTO store_credentials (credential_id, secret_hash, label, all_stores, created_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT ON CONSTRAINT store_credentials_secret_unique DO NOTHING",
        credential.id as CredentialId,
        hash.as_slice(),
        label,
        credential.all_stores,
        at.to_sqlx() as _,
    )
    .execute(&mut *tx)
    .await?;
    if written.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "INSERT INTO store_credential_stores (credential_id, store_id) SELECT $1, unnest($2::uuid[])",
        credential.id as CredentialId,
        &credential.stores as &[StoreId],
    )
    .execute(tx)
    .await?;
    Ok(true)
}
