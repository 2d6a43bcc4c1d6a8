//! The answer that is kept under an idempotency key: the order as it was placed, or why it was not.

use std::{borrow::Cow, time::Duration};

use kit::{ErrorCode, InternalError, ServiceError};
use prost::Message;
use proto::ordering::v1 as pb;
use serde::{Deserialize, Serialize};

/// What every call under one key gets, once the work is finished.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The order.
    Placed(Box<pb::Order>),
    /// Why there is none.
    Refused(ServiceError),
}

#[derive(Serialize, Deserialize)]
struct KeptRefusal {
    code: u16,
    reason: String,
    message: String,
    field: Option<String>,
    retry_after_seconds: Option<u64>,
}

const PLACED: u8 = 0;
const REFUSED: u8 = 1;

impl Answer {
    /// As bytes to keep.
    ///
    /// # Errors
    /// A refusal that JSON cannot say.
    pub fn encode(&self) -> Result<Vec<u8>, InternalError> {
        match self {
            Self::Placed(order) => Ok([vec![PLACED], order.encode_to_vec()].concat()),
            Self::Refused(refusal) => {
                let kept = KeptRefusal {
                    code: refusal.code.http_status(),
                    reason: refusal.reason.to_string(),
                    message: refusal.message.to_string(),
                    field: refusal.field.as_ref().map(ToString::to_string),
                    retry_after_seconds: refusal.retry_after.map(|after| after.as_secs()),
                };
                let kept = serde_json::to_vec(&kept).map_err(InternalError::broken)?;
                Ok([vec![REFUSED], kept].concat())
            }
        }
    }

    /// From bytes that were kept.
    ///
    /// # Errors
    /// Bytes that are no answer.
    pub fn decode(bytes: &[u8]) -> Result<Self, InternalError> {
        match bytes.split_first() {
            Some((&PLACED, order)) => Ok(Self::Placed(Box::new(
                pb::Order::decode(order).map_err(InternalError::broken)?,
            ))),
            Some((&REFUSED, kept)) => {
                let kept: KeptRefusal = serde_json::from_slice(kept).map_err(InternalError::broken)?;
                Ok(Self::Refused(ServiceError {
                    code: code(kept.code),
                    reason: Cow::Owned(kept.reason),
                    message: Cow::Owned(kept.message),
                    field: kept.field.map(Cow::Owned),
                    detail: None,
                    retry_after: kept.retry_after_seconds.map(Duration::from_secs),
                }))
            }
            _ => Err(InternalError::broken("a kept answer cannot be read")),
        }
    }
}

const fn code(status: u16) -> ErrorCode {
    match status {
        400 => ErrorCode::InvalidRequest,
        403 => ErrorCode::Forbidden,
        404 => ErrorCode::NotFound,
        422 => ErrorCode::RuleViolation,
        429 => ErrorCode::RateLimited,
        _ => ErrorCode::Conflict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_read_back() {
        let order = Answer::Placed(Box::new(pb::Order {
            order_id: "ord_1".into(),
            ..Default::default()
        }));
        let refusal = Answer::Refused(
            ServiceError::new(ErrorCode::RuleViolation, "CARD_DECLINED", "Declined.")
                .with_field("paymentMethod"),
        );
        let moved = Answer::Refused(
            ServiceError::new(ErrorCode::Conflict, "ETA_CHANGED", "Later.")
                ,
        );
        for answer in [order, refusal, moved] {
            assert_eq!(Answer::decode(&answer.encode().unwrap()).unwrap(), answer);
        }
    }
}
