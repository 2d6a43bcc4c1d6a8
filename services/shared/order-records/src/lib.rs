//! The records of one order: status, charges, effects, postings, and events with their delivery.
//!
//! Each service serves the records in its own database ([`server`]). Ordering collects them for operators, and the command
//! `order-xray` reads all databases, so that it works while services are down. It only reads.

mod client;
mod convert;
mod deliveries;
mod grpc;
mod queries;
mod records;
mod service;
mod timeline;

pub use client::RecordsClient;
pub use convert::record_to_proto;
pub use deliveries::read_deliveries;
pub use grpc::{Grpc, server};
pub use queries::{read_records, read_summary};
pub use records::{PublishedEvent, Record, Records, Summary};
pub use service::Service;
pub use timeline::Timeline;
