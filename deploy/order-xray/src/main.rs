//! Shows the records of one order in all databases on one time line: status, charges, effects, postings, and events with their
//! delivery. It only reads.

mod database;
mod output;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::Parser;
use order_records::{Service, Timeline, read_deliveries, read_records, read_summary};
use types::OrderId;

use crate::output::Output;

/// Show the records of one order in all databases on one time line. Reads the URLs of the databases from the environment, as
/// the services do (`ORDERING_DATABASE_URL` and so on). A database that is unavailable is named, and the exit status is 1.
#[derive(Debug, Parser)]
#[command(name = "order-xray")]
struct Arguments {
    /// Id of the order, for example `ord_01h455vb4pex5vsknk084sn02q`.
    order: OrderId,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.order).await {
        Ok(timeline) => write(&timeline),
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn write(timeline: &Timeline) -> ExitCode {
    match write!(io::stdout(), "{}", Output(timeline)) {
        // The reader, for example `head`, has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("the output is incomplete: {error}");
            ExitCode::FAILURE
        }
        _ if timeline.is_complete() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

async fn run(order: OrderId) -> anyhow::Result<Timeline> {
    let mut timeline = Timeline::default();
    let mut databases = Vec::new();
    for service in Service::ALL {
        match database::connect(service).await {
            Ok(connection) => databases.push((service, connection)),
            Err(error) => timeline.add_gap(format!("{service}: {error:#}")),
        }
    }
    for (service, conn) in &mut databases {
        timeline.add(read_records(*service, conn, order).await?);
        if *service == Service::Ordering {
            let summary = read_summary(conn, order).await?;
            timeline.set_summary(summary.with_context(|| format!("{order} does not exist"))?);
        }
    }
    for (service, conn) in &mut databases {
        let deliveries = read_deliveries(*service, conn, timeline.published_events()).await?;
        timeline.add(deliveries);
    }
    Ok(timeline)
}
