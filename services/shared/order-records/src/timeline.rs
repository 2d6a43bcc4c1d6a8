//! The records of all services in the order of their time.

use crate::records::{PublishedEvent, Record, Records, Summary};

#[derive(Debug, Default)]
pub struct Timeline {
    /// `None` if the database of ordering could not be read.
    summary: Option<Summary>,
    records: Vec<Record>,
    published_events: Vec<PublishedEvent>,
    not_consumed: Vec<String>,
    not_read: Vec<String>,
}

impl Timeline {
    pub fn set_summary(&mut self, summary: Summary) {
        self.summary = Some(summary);
    }

    pub fn add(&mut self, records: Records) {
        self.records.extend(records.records);
        self.published_events.extend(records.published_events);
        self.not_consumed.extend(records.not_consumed);
    }

    /// Names a service whose records could not be read.
    pub fn add_gap(&mut self, text: String) {
        self.not_read.push(text);
    }

    #[must_use]
    pub const fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    #[must_use]
    pub fn into_summary(self) -> Option<Summary> {
        self.summary
    }

    /// Returns the records by time.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Record> {
        let mut records: Vec<&Record> = self.records.iter().collect();
        records.sort_by_key(|record| record.at);
        records
    }

    /// Returns the events that the services published.
    #[must_use]
    pub fn published_events(&self) -> &[PublishedEvent] {
        &self.published_events
    }

    #[must_use]
    pub fn not_consumed(&self) -> &[String] {
        &self.not_consumed
    }

    #[must_use]
    pub fn not_read(&self) -> &[String] {
        &self.not_read
    }

    /// Returns whether the records of all services were read.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.not_read.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(service: &str, at: &str) -> Record {
        Record {
            at: at.parse().unwrap(),
            service: service.to_owned(),
            text: "status placed".to_owned(),
            trace_id: None,
        }
    }

    #[test]
    fn records_of_several_services_are_sorted_by_time() {
        let mut timeline = Timeline::default();
        for (service, at) in [
            ("rewards", "2026-11-22T08:00:02Z"),
            ("ordering", "2026-11-22T08:00:01Z"),
        ] {
            timeline.add(Records {
                records: vec![record(service, at)],
                ..Records::default()
            });
        }
        let services: Vec<&str> = timeline.sorted().iter().map(|record| &*record.service).collect();
        assert_eq!(services, ["ordering", "rewards"]);
        assert!(timeline.is_complete());
        timeline.add_gap("payments did not respond".to_owned());
        assert!(!timeline.is_complete());
    }
}
