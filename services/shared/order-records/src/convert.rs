//! Conversions from and to the messages of `orderahead.operations.v1`.

use jiff::Timestamp;
use kit::InternalError;
use proto::operations::v1 as pb;

use crate::records::{PublishedEvent, Record, Records};

/// Encodes a record.
#[must_use]
pub fn record_to_proto(record: &Record) -> pb::OrderRecord {
    pb::OrderRecord {
        at: record.at.to_string(),
        service: record.service.clone(),
        text: record.text.clone(),
        trace_id: record.trace_id.clone().unwrap_or_default(),
    }
}

pub(crate) fn event_to_proto(event: &PublishedEvent) -> pb::PublishedEvent {
    pb::PublishedEvent {
        event_type: event.event_type.clone(),
        at: event.at.to_string(),
        is_time_exact: event.is_time_exact,
    }
}

pub(crate) fn event_from_proto(event: pb::PublishedEvent) -> Result<PublishedEvent, InternalError> {
    Ok(PublishedEvent {
        at: timestamp(&event.at)?,
        event_type: event.event_type,
        is_time_exact: event.is_time_exact,
    })
}

pub(crate) fn response(records: &Records) -> pb::ListOrderRecordsResponse {
    pb::ListOrderRecordsResponse {
        records: records.records.iter().map(record_to_proto).collect(),
        not_consumed: records.not_consumed.clone(),
        published_events: records.published_events.iter().map(event_to_proto).collect(),
    }
}

pub(crate) fn records(response: pb::ListOrderRecordsResponse) -> Result<Records, InternalError> {
    let records: Result<Vec<_>, _> = response.records.into_iter().map(record_from_proto).collect();
    let events: Result<Vec<_>, _> = response
        .published_events
        .into_iter()
        .map(event_from_proto)
        .collect();
    Ok(Records {
        records: records?,
        not_consumed: response.not_consumed,
        published_events: events?,
    })
}

fn record_from_proto(record: pb::OrderRecord) -> Result<Record, InternalError> {
    Ok(Record {
        at: timestamp(&record.at)?,
        service: record.service,
        text: record.text,
        trace_id: Some(record.trace_id).filter(|id| !id.is_empty()),
    })
}

fn timestamp(text: &str) -> Result<Timestamp, InternalError> {
    text.parse()
        .map_err(|_| InternalError::invariant_violated(format!("invalid time: {text:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stay_the_same_between_processes() {
        let at: Timestamp = "2026-11-22T08:00:00.123456Z".parse().unwrap();
        let record = |trace_id: Option<&str>| Record {
            at,
            service: "payments".to_owned(),
            text: "effect capture planned".to_owned(),
            trace_id: trace_id.map(str::to_owned),
        };
        let sent = Records {
            records: vec![record(Some("0af7651916cd43dd8448eb211c80319c")), record(None)],
            not_consumed: vec!["payments has no record of ordering.OrderAccepted".to_owned()],
            published_events: vec![PublishedEvent {
                event_type: "payments.RefundDone".to_owned(),
                at,
                is_time_exact: false,
            }],
        };
        assert_eq!(records(response(&sent)).unwrap(), sent);
    }

    #[test]
    fn an_invalid_time_is_an_error() {
        let event = pb::PublishedEvent {
            at: "yesterday".to_owned(),
            ..pb::PublishedEvent::default()
        };
        assert!(event_from_proto(event).is_err());
    }
}
