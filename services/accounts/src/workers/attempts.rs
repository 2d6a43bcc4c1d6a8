//! Counts attempts to send sign-in codes and notifications.

use kit::metrics::Counter;

use crate::{
    domain::notification::Channel,
    sender::{SendError, push::PushError},
};

static ATTEMPTS: Counter = Counter::new(
    "accounts.message.attempts",
    "Attempts to send messages by kind and result",
);

pub(super) fn count_sign_in_code(result: &Result<(), SendError>) {
    count(
        "sign_in_code",
        result.as_ref().map_or_else(result_of, |()| "sent"),
    );
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
