//! Framework of every process: configuration, telemetry, lifecycle, gRPC, Postgres, outbox, event consumers,
//! idempotency. Independent of the product.

pub mod audit;
pub mod backoff;
pub mod caller;
pub mod config;
pub mod demo_data;
pub mod fault_point;
pub mod grpc;
pub mod idempotency;
mod ids;
pub mod internal_error;
pub mod lifecycle;
pub mod messaging;
pub mod metrics;
pub mod outbox;
pub mod postgres;
pub mod prune;
pub mod redis_connection;
pub mod service_error;
mod supervision;
pub mod telemetry;
pub mod tls;
mod worker_health;

pub use ids::{parse_id, parse_optional_id};
pub use internal_error::InternalError;
pub use messaging::consumer;
pub use service_error::{ErrorCode, ServiceError};
