//! Counts attempts to send sign-in codes, verification emails and notifications.

use kit::metrics::Counter;

use crate::{
    domain::notification::Channel,
    sender::{SendError, push::PushError},
};

static ATTEMPTS: Counter = Counter::new(
    "accounts.message.attempts",
    "Attempts to send messages by kind and result",
);

/// Kinds of messages that the consumer requested.
pub(super) const SIGN_IN_CODE: &str = "sign_in_code";
pub(super) const VERIFICATION_EMAIL: &str = "verification_email";

pub(super) fn count_requested(kind: &'static str, result: &Result<(), SendError>) {
    count(kind, result.as_ref().map_or_else(result_of, |()| "sent"));
}

pub(super) fn count_notification(channel: &str, result: &Result<(), PushError>) {
    let kind = Channel::parse(channel).map_or("unknown", Channel::as_str);
    let result = match result {
        Ok(()) => "sent",
        Err(PushError::Gone) => "device_gone",
        Err(PushError::Send(error)) => result_of(error),
    };
    count(kind, result);
}

fn count(kind: &'static str, result: &'static str) {
    ATTEMPTS.add(1, &[("kind", kind), ("result", result)]);
}

const fn result_of(error: &SendError) -> &'static str {
    match error {
        SendError::Transient(_) => "not_sent",
        SendError::Unclear(_) => "unclear",
        SendError::Permanent(_) => "rejected",
    }
}
