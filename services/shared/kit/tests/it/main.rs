//! The chassis on a real PostgreSQL and a real RabbitMQ.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod callers;
mod consumer;
mod prune;
mod queues;
