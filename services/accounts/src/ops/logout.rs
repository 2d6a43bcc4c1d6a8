use kit::InternalError;

use crate::{Accounts, db::sessions, domain::secret};

/// Ends the session of a token. Does nothing if the session has ended or the token is unknown.
pub async fn logout(cx: &Accounts, token: &str) -> Result<(), InternalError> {
    let mut conn = cx.pool.acquire().await?;
    sessions::end(&mut conn, &secret::token_hash(token), cx.clock.now()).await?;
    Ok(())
}
