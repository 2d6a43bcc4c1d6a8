//! Events as the broker brings them.

use kit::consumer::Delivery;
use proto::events::Event;
use types::EventId;

use crate::at;

/// An event with this fact.
pub fn incoming<E: Event>(fact: &E) -> Delivery {
    Delivery {
        id: EventId::new(at()),
        kind: E::KIND.to_owned(),
        aggregate_id: String::new(),
        aggregate_version: 1,
        payload: fact.encode_to_vec(),
    }
}
