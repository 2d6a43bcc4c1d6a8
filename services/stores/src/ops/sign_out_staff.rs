//! Ends a session of the staff of a store.

use kit::InternalError;
use secrecy::SecretString;

use crate::{Stores, db, domain::secret};

pub(crate) async fn sign_out_staff(cx: &Stores, token: &SecretString) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    db::staff::delete_session(&mut conn, &secret::hash(token)).await?;
    Ok(())
}
