//! The public HTTP API: REST and cookies outside, gRPC to the services inside. Also serves the built web app.

use std::io::{self, Write as _};

use clap::{Parser, Subcommand};
use kit::lifecycle::Process;
use kit::messaging::{Broker, Topology};
use tokio::net::TcpListener;

mod cache;
mod client_network;
mod clients;
mod config;
mod connection;
mod connection_activity;
mod context;
mod cookie;
mod error;
mod event_queue;
mod extract;
mod gateway;
mod geo_ip;
mod hand_over;
mod live_orders;
mod middleware;
mod open_connections;
mod openapi;
mod operators;
mod order_stream;
mod payment_list;
mod public_reads;
mod rate_limits;
mod response;
mod routes;
mod server;
mod session;
mod store_changes;
mod store_stream;
mod stream_signals;
mod types;
mod web;

use crate::event_queue::EventQueue;
use crate::gateway::Gateway;

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
    /// Serve requests until shutdown.
    Serve,
    /// Print the OpenAPI document.
    Openapi,
}

/// Runs the command given on the command line.
///
/// # Errors
/// A setting is invalid, or the listen address is in use.
pub async fn run(process: Process) -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Serve => serve(process).await,
        Command::Openapi => print(&openapi::to_json()?),
    }
}

fn print(document: &str) -> anyhow::Result<()> {
    let mut out = io::stdout();
    match out.write_all(document.as_bytes()).and_then(|()| out.flush()) {
        // The reader, for example `head`, has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => Ok(printed?),
    }
}

async fn serve(process: Process) -> anyhow::Result<()> {
    let gateway = Gateway::from_config(&process)?;
    let topology = Topology::new(proto::topology::PREFIX, proto::topology::CONSUMERS);
    let broker = Broker::from_config(&process, topology)?;
    let events = EventQueue {
        live_orders: gateway.live_orders.clone(),
        public_reads: gateway.public_reads.clone(),
    };
    process.spawn(events.run(process.clone(), broker));
    kit::metrics::serve(&process.source).await?;
    let listen = gateway.http.listen;
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| anyhow::anyhow!("cannot listen on {listen} (LISTEN): {error}"))?;
    server::serve(&gateway, listener).await
}
