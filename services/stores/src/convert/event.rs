//! Encodes events for the outbox.

use jiff::Timestamp;
use kit::outbox::OutboxEntry;
use proto::{
    events::Event as _,
    stores::v1::{self as pb, company_event, store_event},
};
use types::{CompanyId, StoreId};

pub(crate) fn store_status_changed(
    store_id: StoreId,
    version: i64,
    paused: bool,
    now: Timestamp,
) -> OutboxEntry {
    let change = pb::StoreStatusChanged {
        paused,
        changed_at: now.to_string(),
    };
    let event = pb::StoreEvent {
        store_id: store_id.to_string(),
        change: Some(store_event::Change::StatusChanged(change)),
    };
    OutboxEntry::new(event.event_type(), &event, store_id.to_string(), version, now)
}

pub(crate) fn availability_changed(store_id: StoreId, version: i64, now: Timestamp) -> OutboxEntry {
    let event = pb::StoreEvent {
        store_id: store_id.to_string(),
        change: Some(store_event::Change::AvailabilityChanged(
            pb::AvailabilityChanged {},
        )),
    };
    OutboxEntry::new(event.event_type(), &event, store_id.to_string(), version, now)
}

pub(crate) fn menu_changed(company_id: CompanyId, menu_version: i64, now: Timestamp) -> OutboxEntry {
    let event = pb::CompanyEvent {
        company_id: company_id.to_string(),
        change: Some(company_event::Change::MenuChanged(pb::MenuChanged {})),
    };
    OutboxEntry::new(
        event.event_type(),
        &event,
        company_id.to_string(),
        menu_version,
        now,
    )
}
