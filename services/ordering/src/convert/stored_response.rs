//! The response stored under an idempotency key.
//!
//! The first byte is the format. Formats 0 and 1 were written by the first release. Responses are deleted after seven
//! days, so a release a week later can remove support for these formats.

use std::{borrow::Cow, time::Duration};

use kit::{ErrorCode, InternalError, ServiceError};
use prost::{
    Message,
    encoding::{DecodeContext, decode_key, skip_field},
};
use proto::ordering::v1 as pb;
use serde::Deserialize;
use tonic::{Code, Status};

use super::order::{order, order_from_proto};
use crate::domain::{order::OrderDetails, status::Actor};

const LEGACY_ORDER: u8 = 0;
const LEGACY_ERROR: u8 = 1;
const ORDER: u8 = 2;
const ERROR: u8 = 3;

/// The outcome of placing an order, which every later call with the same key gets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StoredResponse {
    Placed(Box<OrderDetails>),
    Rejected(ServiceError),
}

impl StoredResponse {
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Placed(details) => {
                let encoded = order(OrderDetails::clone(details)).encode_to_vec();
                [vec![ORDER], encoded].concat()
            }
            Self::Rejected(error) => {
                let status = Status::from(error.clone());
                let code = i32::from(status.code()).to_le_bytes();
                [&[ERROR], code.as_slice(), status.details()].concat()
            }
        }
    }

    /// # Errors
    /// If the bytes are not in a known format.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, InternalError> {
        let (format, body) = bytes.split_first().ok_or_else(unreadable)?;
        match *format {
            ORDER => placed(pb::Order::decode(body).map_err(InternalError::invariant_violated)?),
            ERROR => {
                let (code, details) = body.split_first_chunk().ok_or_else(unreadable)?;
                let code = Code::from(i32::from_le_bytes(*code));
                // The status message is not stored, because the details contain it.
                let status = Status::with_details(code, "", details.to_vec().into());
                Ok(Self::Rejected(ServiceError::from_status(&status)))
            }
            LEGACY_ORDER => placed(decode_legacy_order(body)?),
            LEGACY_ERROR => decode_legacy_error(body).map(Self::Rejected),
            _ => Err(unreadable()),
        }
    }
}

fn placed(order: pb::Order) -> Result<StoredResponse, InternalError> {
    Ok(StoredResponse::Placed(Box::new(order_from_proto(order)?)))
}

fn unreadable() -> InternalError {
    InternalError::invariant_violated("stored response has an unknown format")
}

/// Field number of `Order.history`.
const HISTORY: u32 = 23;

/// The history in format 0, which has the actor as text.
#[derive(Clone, PartialEq, Message)]
struct LegacyHistory {
    #[prost(message, repeated, tag = "23")]
    history: Vec<LegacyStatusChange>,
}

#[derive(Clone, PartialEq, Message)]
struct LegacyStatusChange {
    #[prost(int32, tag = "1")]
    status: i32,
    #[prost(string, tag = "2")]
    at: String,
    #[prost(string, tag = "3")]
    by: String,
}

fn decode_legacy_order(bytes: &[u8]) -> Result<pb::Order, InternalError> {
    let changes = LegacyHistory::decode(bytes)
        .map_err(InternalError::invariant_violated)?
        .history;
    let mut order = without_field(HISTORY, bytes)
        .and_then(|rest| pb::Order::decode(rest.as_slice()))
        .map_err(InternalError::invariant_violated)?;
    for LegacyStatusChange { status, at, by } in changes {
        let by = match by.parse().map_err(InternalError::invariant_violated)? {
            Actor::Consumer => pb::Actor::Consumer,
            Actor::Store => pb::Actor::Store,
            Actor::System => pb::Actor::System,
        };
        order.history.push(pb::StatusChange {
            status,
            at,
            by: by.into(),
            ..pb::StatusChange::default()
        });
    }
    Ok(order)
}

/// Returns an encoded message without one of its fields.
fn without_field(removed: u32, message: &[u8]) -> Result<Vec<u8>, prost::DecodeError> {
    let mut kept = Vec::with_capacity(message.len());
    let mut rest = message;
    while !rest.is_empty() {
        let field = rest;
        let (tag, wire_type) = decode_key(&mut rest)?;
        skip_field(wire_type, tag, &mut rest, DecodeContext::default())?;
        if tag != removed {
            kept.extend_from_slice(&field[..field.len() - rest.len()]);
        }
    }
    Ok(kept)
}

/// Format 1, JSON. Its details were JSON too and are dropped.
#[derive(Deserialize)]
struct LegacyError {
    /// HTTP status.
    code: u16,
    reason: String,
    message: String,
    field: Option<String>,
    retry_after_seconds: Option<u64>,
}

fn decode_legacy_error(json: &[u8]) -> Result<ServiceError, InternalError> {
    let error: LegacyError = serde_json::from_slice(json).map_err(InternalError::invariant_violated)?;
    let code = match error.code {
        400 => ErrorCode::InvalidRequest,
        403 => ErrorCode::Forbidden,
        404 => ErrorCode::NotFound,
        409 => ErrorCode::Conflict,
        422 => ErrorCode::RuleViolation,
        code => {
            return Err(InternalError::invariant_violated(format!(
                "unknown error code {code}"
            )));
        }
    };
    Ok(ServiceError {
        code,
        reason: Cow::Owned(error.reason),
        message: Cow::Owned(error.message),
        field: error.field.map(Cow::Owned),
        detail: None,
        retry_after: error.retry_after_seconds.map(Duration::from_secs),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::{stores::v1 as stores, values::v1 as values};

    fn usd(cents: i64) -> values::Money {
        values::Money {
            minor_units: cents,
            currency: "usd".into(),
        }
    }

    fn encoded_order() -> pb::Order {
        let line = stores::ResolvedLine {
            line_id: "1".into(),
            kind: "drink".into(),
            quantity: 1,
            unit_price: Some(usd(950)),
            ..stores::ResolvedLine::default()
        };
        pb::Order {
            order_id: "ord_01h455vb4pex5vsknk084sn02q".into(),
            consumer_id: "usr_01h455vb4pex5vsknk084sn02q".into(),
            store_id: "str_01h455vb4pex5vsknk084sn02q".into(),
            status: pb::OrderStatus::Placed.into(),
            version: 2,
            lines: vec![pb::QuoteLine {
                line: Some(line),
                amount: Some(usd(950)),
                discount: Some(usd(0)),
            }],
            subtotal: Some(usd(950)),
            discount: Some(usd(0)),
            tax: Some(usd(90)),
            tip: Some(usd(200)),
            total: Some(usd(1240)),
            tender: Some(pb::Tender {
                kind: pb::TenderKind::Bank.into(),
                payment_method_id: "pay_1".into(),
                ..pb::Tender::default()
            }),
            pickup: pb::PickupKind::Curbside.into(),
            eta: Some(pb::Eta {
                ready_at: "2026-11-20T16:07:00Z".into(),
                scheduled: true,
                time_zone: "America/Los_Angeles".into(),
            }),
            time_zone: "America/Los_Angeles".into(),
            start_at: "2026-11-20T16:05:00.000001Z".into(),
            created_at: "2026-11-20T16:00:00Z".into(),
            placed_at: "2026-11-20T16:00:01Z".into(),
            history: vec![pb::StatusChange {
                status: pb::OrderStatus::Placed.into(),
                at: "2026-11-20T16:00:01Z".into(),
                by: pb::Actor::Consumer.into(),
                ..pb::StatusChange::default()
            }],
            first_ready_at: "2026-11-20T16:07:00Z".into(),
            pickup_number: "535".into(),
            journey_step: values::JourneyStep::App.into(),
            parts: vec![pb::TenderPart {
                kind: pb::TenderKind::Bank.into(),
                payment_method_id: "pay_1".into(),
                amount: Some(usd(1240)),
                name: String::new(),
            }],
            ..pb::Order::default()
        }
    }

    #[test]
    fn a_stored_order_is_returned_unchanged() {
        let placed = placed(encoded_order()).unwrap();
        let decoded = StoredResponse::decode(&placed.encode()).unwrap();
        assert_eq!(decoded, placed);
        let StoredResponse::Placed(details) = decoded else {
            panic!("{decoded:?}");
        };
        assert_eq!(order(*details), encoded_order());
    }

    #[test]
    fn a_stored_order_keeps_the_parts_of_its_tender() {
        let part = |kind: pb::TenderKind, payment_method_id: &str, cents, name: &str| pb::TenderPart {
            kind: kind.into(),
            payment_method_id: payment_method_id.into(),
            amount: Some(usd(cents)),
            name: name.into(),
        };
        let card = pb::Tender {
            kind: pb::TenderKind::Card.into(),
            payment_method_id: "pay_1".into(),
            ..pb::Tender::default()
        };
        let joepass = pb::Tender {
            kind: pb::TenderKind::Joepass.into(),
            payment_method_id: "bal_1".into(),
            ..pb::Tender::default()
        };
        for (tender, parts) in [
            (
                card,
                vec![
                    part(pb::TenderKind::Joepass, "bal_1", 400, "Gift card"),
                    part(pb::TenderKind::Card, "pay_1", 840, ""),
                ],
            ),
            (
                joepass,
                vec![part(pb::TenderKind::Joepass, "bal_1", 1240, "Gift card")],
            ),
        ] {
            let encoded = pb::Order {
                tender: Some(tender),
                parts,
                ..encoded_order()
            };
            let stored = placed(encoded.clone()).unwrap().encode();
            let StoredResponse::Placed(details) = StoredResponse::decode(&stored).unwrap() else {
                panic!("{stored:?}");
            };
            assert_eq!(order(*details), encoded);
        }
    }

    #[test]
    fn a_stored_error_is_returned_unchanged() {
        let detail = pb::QuoteChanged { quote: None };
        for error in [
            ServiceError::new(ErrorCode::RuleViolation, "CARD_DECLINED", "Declined.")
                .with_field("paymentMethod"),
            ServiceError::new(ErrorCode::Conflict, "ETA_CHANGED", "Later.").with_detail(&detail),
        ] {
            let rejected = StoredResponse::Rejected(error);
            assert_eq!(StoredResponse::decode(&rejected.encode()).unwrap(), rejected);
        }
    }

    #[test]
    fn an_order_stored_by_the_first_release_is_readable() {
        let history = LegacyHistory {
            history: vec![LegacyStatusChange {
                status: pb::OrderStatus::Placed.into(),
                at: "2026-11-20T16:00:01Z".into(),
                by: "consumer".into(),
            }],
        };
        let rest = pb::Order {
            history: Vec::new(),
            ..encoded_order()
        };
        // The history was encoded between other fields; protobuf allows any order of fields.
        let stored = [vec![LEGACY_ORDER], history.encode_to_vec(), rest.encode_to_vec()].concat();
        assert_eq!(
            StoredResponse::decode(&stored).unwrap(),
            placed(encoded_order()).unwrap()
        );
    }

    #[test]
    fn an_error_stored_by_the_first_release_is_readable() {
        let json = br#"{"code":422,"reason":"CARD_DECLINED","message":"Declined.","field":"paymentMethod",
            "data":"{\"readyAt\":\"2026-11-20T16:07:00Z\"}","retry_after_seconds":null}"#;
        let stored = [&[LEGACY_ERROR], json.as_slice()].concat();
        let error = ServiceError::new(ErrorCode::RuleViolation, "CARD_DECLINED", "Declined.")
            .with_field("paymentMethod");
        assert_eq!(
            StoredResponse::decode(&stored).unwrap(),
            StoredResponse::Rejected(error)
        );
    }

    #[test]
    fn unknown_formats_are_errors() {
        for stored in [&[][..], &[9], &[ERROR, 1], &[LEGACY_ERROR], &[ORDER, 255]] {
            assert!(StoredResponse::decode(stored).is_err(), "{stored:?}");
        }
    }
}
