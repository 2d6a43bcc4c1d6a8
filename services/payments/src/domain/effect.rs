//! Effects: planned calls to the provider.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use types::{ChargeId, PaymentMethodId, RefundId};

use super::charge::ChargeEffect;
use super::subject::ChargeSubject;

/// Code of an effect that failed because the hold ended before an attempt succeeded.
pub const HOLD_ENDED: &str = "hold_ended";

/// Kind of [`Effect::Detach`] in the database.
pub const DETACH: &str = "detach";
/// Kind of [`Effect::RefundPart`] in the database.
pub const REFUND_PART: &str = "refund_part";

/// All kinds of effects in the database.
pub const KINDS: [&str; 5] = [
    ChargeEffect::Capture.as_str(),
    ChargeEffect::Void.as_str(),
    ChargeEffect::Refund.as_str(),
    REFUND_PART,
    DETACH,
];

/// A planned call to the provider. Its text form is `<subject id>:<kind>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    Charge(ChargeId, ChargeEffect),
    /// Refunds a part of a charge.
    RefundPart(RefundId),
    /// Detaches a payment method from its customer.
    Detach(PaymentMethodId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EffectState {
    /// Due now or later.
    Planned,
    /// Executed, or no longer needed.
    Done,
    /// Can never succeed. Not executed again until it is planned again.
    Failed,
}

/// A text that is not an effect or a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct ParseEffectError {
    expected: &'static str,
}

/// An effect as the command line lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEffect {
    pub effect: Effect,
    pub state: EffectState,
    /// `None` if the effect does not belong to a charge.
    pub subject: Option<ChargeSubject>,
    pub attempts: i32,
    /// When it was last planned.
    pub created_at: Timestamp,
    /// When the next attempt is due, if it is planned.
    pub due_at: Timestamp,
    pub failure_code: Option<String>,
    /// Error of the latest attempt.
    pub last_error: Option<String>,
}

/// Number of effects of one kind in one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectCount {
    /// Name of the kind in the database.
    pub kind: String,
    pub state: EffectState,
    pub count: i64,
}

/// Why an attempt did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptError {
    /// A later attempt may succeed.
    Transient {
        /// Whether the provider repeats its response for the same idempotency key.
        needs_new_key: bool,
    },
    /// No attempt can succeed.
    Permanent {
        /// Code of the provider.
        code: String,
    },
}

/// What happens after an attempt that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAttempt {
    At { due_at: Timestamp, with_new_key: bool },
    Never { code: String },
}

impl Effect {
    /// Returns the name of the kind in the database.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Charge(_, effect) => effect.as_str(),
            Self::RefundPart(_) => REFUND_PART,
            Self::Detach(_) => DETACH,
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Charge(id, effect) => write!(f, "{id}:{}", effect.as_str()),
            Self::RefundPart(id) => write!(f, "{id}:{REFUND_PART}"),
            Self::Detach(id) => write!(f, "{id}:{DETACH}"),
        }
    }
}

impl FromStr for Effect {
    type Err = ParseEffectError;

    fn from_str(text: &str) -> Result<Self, ParseEffectError> {
        let parse = || {
            let (subject_id, kind) = text.split_once(':')?;
            Some(match kind {
                DETACH => Self::Detach(subject_id.parse().ok()?),
                REFUND_PART => Self::RefundPart(subject_id.parse().ok()?),
                _ => Self::Charge(subject_id.parse().ok()?, ChargeEffect::from_name(kind)?),
            })
        };
        parse().ok_or(ParseEffectError {
            expected: "the id of an effect as `payments effects list` shows it",
        })
    }
}

impl EffectState {
    pub const ALL: [Self; 3] = [Self::Planned, Self::Done, Self::Failed];

    /// Returns the name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for EffectState {
    type Err = ParseEffectError;

    fn from_str(text: &str) -> Result<Self, ParseEffectError> {
        Self::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or(ParseEffectError {
                expected: "planned, done or failed",
            })
    }
}

impl AttemptError {
    /// Returns when the effect is attempted again: after `delay`, or at `retry_until` if that is sooner. An attempt at
    /// or after `retry_until` is the last one. Without `retry_until`, retries never end.
    pub fn next_attempt(
        self,
        now: Timestamp,
        delay: Duration,
        retry_until: Option<Timestamp>,
    ) -> NextAttempt {
        match self {
            Self::Permanent { code } => NextAttempt::Never { code },
            Self::Transient { .. } if retry_until.is_some_and(|end| now >= end) => NextAttempt::Never {
                code: HOLD_ENDED.to_owned(),
            },
            Self::Transient { needs_new_key } => {
                let due_at = now + delay;
                NextAttempt::At {
                    due_at: retry_until.map_or(due_at, |end| due_at.min(end)),
                    with_new_key: needs_new_key,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;
    const DELAY: Duration = Duration::from_mins(5);
    const TRANSIENT: AttemptError = AttemptError::Transient { needs_new_key: false };

    fn at(due_at: Timestamp) -> NextAttempt {
        NextAttempt::At {
            due_at,
            with_new_key: false,
        }
    }

    #[test]
    fn each_effect_is_parsed_from_its_text() {
        let charge_id = ChargeId::new(NOW);
        for effect in [
            Effect::Charge(charge_id, ChargeEffect::Capture),
            Effect::Charge(charge_id, ChargeEffect::Void),
            Effect::Charge(charge_id, ChargeEffect::Refund),
            Effect::RefundPart(RefundId::new(NOW)),
            Effect::Detach(PaymentMethodId::new(NOW)),
        ] {
            assert_eq!(effect.to_string().parse(), Ok(effect));
        }
        for text in ["", "capture", "chg_1:capture", &format!("{charge_id}:detach")] {
            assert!(text.parse::<Effect>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_transient_error_is_retried_without_end_or_until_the_hold_ends() {
        let next = |now, retry_until| TRANSIENT.next_attempt(now, DELAY, retry_until);
        assert_eq!(next(NOW, None), at(NOW + DELAY));
        let hold_ends_at = NOW + DELAY * 3 / 2;
        assert_eq!(next(NOW, Some(hold_ends_at)), at(NOW + DELAY));
        // The last attempt is made when the hold ends.
        assert_eq!(next(NOW + DELAY, Some(hold_ends_at)), at(hold_ends_at));
        let ended = NextAttempt::Never {
            code: HOLD_ENDED.to_owned(),
        };
        assert_eq!(next(hold_ends_at, Some(hold_ends_at)), ended);
    }

    #[test]
    fn a_permanent_error_ends_the_attempts_with_the_code_of_the_provider() {
        let error = AttemptError::Permanent {
            code: "charge_disputed".to_owned(),
        };
        let never = NextAttempt::Never {
            code: "charge_disputed".to_owned(),
        };
        assert_eq!(error.next_attempt(NOW, DELAY, None), never);
    }
}
