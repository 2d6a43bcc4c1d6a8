//! gRPC between our processes: what every server and every client does alike.

mod calls;
mod client;
mod connection;
pub(crate) mod correlation;
pub mod deadline;
mod result;
mod retry;
mod server;

pub use calls::AuthInterceptor;
pub use client::{ClientChannel, ClientInterceptor, GrpcClient};
pub use connection::Connection;
pub use result::{GrpcResult, into_grpc};
pub use retry::retry;
pub use server::Server;
