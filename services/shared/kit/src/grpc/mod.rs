//! gRPC between processes: the server, the client, deadlines, correlation ids and retries.

mod address;
mod auth;
mod call_metrics;
mod client;
mod connection;
pub(crate) mod correlation;
pub mod deadline;
mod failure;
mod incoming;
mod middleware;
mod replica;
mod replicas;
mod result;
mod retry;
mod server;

pub use auth::AuthInterceptor;
pub use client::{CallerIdentity, ClientChannel, ClientInterceptor, GrpcClient};
pub use connection::{Connection, IsIdempotent};
pub use failure::BoxError;
pub use result::{GrpcResult, into_grpc};
pub use retry::retry;
pub use server::Server;
