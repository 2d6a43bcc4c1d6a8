//! gRPC between our processes: what every server and every client does alike.

mod answer;
mod calls;
mod connection;
pub(crate) mod correlation;
pub mod deadline;
mod peer;
mod retry;
mod server;

pub use answer::{Answer, answer};
pub use calls::Guard;
pub use connection::Connection;
pub use peer::{Attach, Link, Peer};
pub use retry::retry;
pub use server::Server;
