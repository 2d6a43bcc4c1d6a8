//! Encrypts the secrets of all webhook subscriptions with the newest key, after a rotation of the key.

use anyhow::Context;

use crate::{Stores, db::webhook_subscriptions, domain::webhook_keys::SealedSecret};

/// Returns the number of subscriptions.
///
/// # Errors
/// A secret was encrypted with another key. Then none is changed.
pub async fn encrypt_webhook_secrets(cx: &Stores) -> anyhow::Result<usize> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let subscriptions = webhook_subscriptions::lock_secrets(&mut tx).await?;
    let seal = |sealed: &SealedSecret| anyhow::Ok(cx.seal(&cx.webhook_keys.open(sealed)?)?);
    for (id, secret, previous) in &subscriptions {
        let context = || id.to_string();
        let secret = seal(secret).with_context(context)?;
        let previous = previous.as_ref().map(seal).transpose().with_context(context)?;
        webhook_subscriptions::set_secrets(&mut tx, *id, &secret, previous.as_ref()).await?;
    }
    tx.commit().await?;
    Ok(subscriptions.len())
}
