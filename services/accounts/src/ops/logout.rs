use kit::InternalError;

use super::write_tombstones::try_write_tombstones;
use crate::{Accounts, db::sessions, domain::secret};

/// Ends the session of a token. Does nothing if the session has ended or the token is unknown. The device stays known.
pub async fn logout(cx: &Accounts, token: &str) -> Result<(), InternalError> {
    let token_hash = secret::token_hash(token);
    let mut conn = cx.pool.acquire().await?;
    let has_ended = sessions::end(&mut conn, &token_hash, cx.clock.now()).await?;
    drop(conn);
    if has_ended {
        try_write_tombstones(cx, &[token_hash]).await;
    }
    Ok(())
}
