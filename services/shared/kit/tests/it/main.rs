//! The framework with a real PostgreSQL and a real RabbitMQ.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod audit;
mod broker;
mod caller_token;
mod consumer;
mod consumer_batches;
mod greeter;
mod migrations;
mod outage;
mod postgres;
mod prune;
mod publishing;
mod relay;
mod replicas;
mod resets;
mod slow_confirms;
mod transactions;
