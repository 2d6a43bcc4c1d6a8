//! The one door: REST and cookies outside, gRPC inside. Serves the built web app too.

use std::net::SocketAddr;

use clap::{Parser, Subcommand};
use kit::lifecycle::Process;
use kit::messaging::Broker;

mod address;
mod cache;
mod caller;
mod clients;
mod conditional;
mod config;
mod connection;
mod cookie;
mod correlation;
mod envelope;
mod extract;
mod gateway;
mod limits;
mod live;
mod openapi;
mod order_stream;
mod origin;
mod payment_list;
mod routes;
mod server;
mod session;
mod store_credential;
mod types;
mod web;

pub use gateway::Gateway;

#[derive(Debug, Parser)]
#[command(
    name = "gateway",
    about = "REST and cookies outside, gRPC inside; serves the built web app"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answers requests until told to stop.
    Serve,
    /// Prints the OpenAPI document.
    Openapi,
}

/// Does what the command line says.
///
/// # Errors
/// A bad setting, or an address that cannot be listened on.
pub async fn command(process: Process) -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Serve => serve(process).await,
        Command::Openapi => {
            print!("{}", openapi::written()?);
            Ok(())
        }
    }
}

async fn serve(process: Process) -> anyhow::Result<()> {
    let gateway = Gateway::from_config(&process)?;
    process.spawn(
        gateway
            .live
            .clone()
            .listen(process.clone(), Broker::from_config(&process, kit::messaging::Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS))?),
    );
    let listen: SocketAddr = gateway.front.listen;
    let listener = tokio::net::TcpListener::bind(listen)
        .await
        .map_err(|error| anyhow::anyhow!("cannot listen on {listen} (LISTEN): {error}"))?;
    server::serve(&gateway, listener).await
}
