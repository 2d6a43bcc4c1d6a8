//! gRPC between processes: the server, the client, deadlines, correlation ids and retries.

mod auth;
mod client;
mod connection;
pub(crate) mod correlation;
pub mod deadline;
mod middleware;
mod result;
mod retry;
mod server;

pub use auth::AuthInterceptor;
pub use client::{CallerIdentity, ClientChannel, ClientInterceptor, GrpcClient};
pub use connection::Connection;
pub use result::{GrpcResult, into_grpc};
pub use retry::retry;
pub use server::Server;
