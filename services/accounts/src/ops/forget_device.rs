use kit::InternalError;
use types::ConsumerId;

use super::write_tombstones::try_write_tombstones;
use crate::{
    Accounts,
    db::{devices, sessions},
};

/// Forgets a device of the consumer and ends its sessions. The device shares the attempt limit of unknown devices from
/// then on. Does nothing if the device is not known.
pub async fn forget_device(
    cx: &Accounts,
    consumer: ConsumerId,
    device_hash: &[u8],
) -> Result<(), InternalError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    devices::delete(&mut tx, consumer, device_hash).await?;
    let tokens = sessions::list_tokens_of_device(&mut tx, consumer, device_hash).await?;
    for token_hash in &tokens {
        sessions::end(&mut tx, token_hash, cx.clock.now()).await?;
    }
    tx.commit().await?;
    try_write_tombstones(cx, &tokens).await;
    Ok(())
}
