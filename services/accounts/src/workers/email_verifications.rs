//! Sends emails with links that verify an address, one after another: few are requested.

use std::{sync::Arc, time::Duration};

use kit::{InternalError, lifecycle::Process};

use super::{
    attempts::{VERIFICATION_EMAIL, count_requested},
    messages::retry_delay,
};
use crate::{
    Accounts,
    db::email_verifications::{self, VerificationEmail},
    domain::secret::{new_token, token_hash},
    sender::{
        SEND_TIMEOUT, SendError, Senders,
        email::{Email, EmailSender},
    },
};

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Longer than an attempt to send, which connects to the mail server first.
const LEASE: Duration = Duration::from_secs(40);

const _: () = assert!(SEND_TIMEOUT.as_secs() * 2 < LEASE.as_secs());

pub(super) async fn run(process: Process, cx: Accounts, senders: Arc<Senders>) {
    let Some(sender) = &senders.email else {
        process.shutdown.cancelled().await;
        return;
    };
    while process.sleep(POLL_INTERVAL).await {
        if let Err(error) = send_due(&process, &cx, sender).await {
            tracing::warn!(%error, "verification emails not sent; will retry");
        }
    }
}

async fn send_due(process: &Process, cx: &Accounts, sender: &EmailSender) -> Result<(), InternalError> {
    while !process.shutdown.is_cancelled() {
        let mut conn = cx.pool.acquire().await?;
        let leased = email_verifications::lease(&mut conn, cx.clock.now(), LEASE, 1).await?;
        drop(conn);
        let Some(email) = leased.into_iter().next() else {
            return Ok(());
        };
        send(cx, sender, &email).await?;
    }
    Ok(())
}

/// Creates the token right before the email is sent, so that only its hash is stored.
async fn send(cx: &Accounts, sender: &EmailSender, email: &VerificationEmail) -> Result<(), InternalError> {
    let token = new_token(&mut rand::rng());
    let mut conn = cx.pool.acquire().await?;
    if !email_verifications::set_token(&mut conn, email, &token_hash(&token)).await? {
        return Ok(email_verifications::finish(&mut conn, email).await?);
    }
    drop(conn);
    let message = verification_email(&cx.notifications.origin, email, &token);
    let sent = tokio::time::timeout(LEASE / 2, sender.send(&message))
        .await
        .unwrap_or_else(|elapsed| Err(SendError::Unclear(elapsed.into())));
    count_requested(VERIFICATION_EMAIL, &sent);
    let mut conn = cx.pool.acquire().await?;
    match sent {
        Ok(()) => {}
        Err(SendError::Transient(error)) => {
            let error = format!("{error:#}");
            tracing::warn!(error, "verification email not sent; will retry");
            let delay = retry_delay(email.attempts);
            return Ok(email_verifications::retry_after(&mut conn, email, delay).await?);
        }
        // The consumer can request another one.
        Err(SendError::Unclear(error)) => {
            tracing::warn!(
                error = format!("{error:#}"),
                "verification email may have been sent"
            );
        }
        Err(SendError::Permanent(error)) => {
            tracing::warn!(error = format!("{error:#}"), "verification email rejected");
        }
    }
    Ok(email_verifications::finish(&mut conn, email).await?)
}

fn verification_email(origin: &str, email: &VerificationEmail, token: &str) -> Email {
    Email {
        id: email.id.to_string(),
        to: email.email.clone(),
        subject: "Verify your email address".to_owned(),
        text: format!(
            "Tap to get your Order Ahead updates at this address:\n\n{origin}/account/verify-email?token={token}\n\n\
             The link expires in 24 hours. Didn't ask for it? You can ignore this email.\n"
        ),
        stop_url: None,
    }
}
