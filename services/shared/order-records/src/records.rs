//! What the database of a service contains about an order.

use jiff::Timestamp;

/// A record of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub at: Timestamp,
    pub service: String,
    pub text: String,
    pub trace_id: Option<String>,
}

/// An event about an order, and when it was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedEvent {
    /// For example `ordering.OrderPlaced`.
    pub event_type: String,
    pub at: Timestamp,
    /// False if the record shows only approximately when the event was published.
    pub is_time_exact: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records {
    pub records: Vec<Record>,
    /// A sentence for each event that the service consumes and has no record of.
    pub not_consumed: Vec<String>,
    /// Events that the service published.
    pub published_events: Vec<PublishedEvent>,
}

impl Records {
    pub(crate) fn extend(&mut self, other: Self) {
        self.records.extend(other.records);
        self.not_consumed.extend(other.not_consumed);
        self.published_events.extend(other.published_events);
    }
}

/// The newest state of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub order: String,
    /// Status, store, total and tender.
    pub state: String,
    /// Why it ended; empty for other orders.
    pub reason: String,
}
