use kit::consumer::Delivery;
use proto::events::Event;
use types::EventId;

use crate::at;

/// Returns an event as the consumer receives it from the broker, with a new event id.
pub fn delivery(event: &impl Event) -> Delivery {
    Delivery {
        event_id: EventId::new(at()),
        event_type: event.event_type().to_owned(),
        aggregate_id: String::new(),
        aggregate_version: 1,
        payload: event.encode_to_vec(),
    }
}
