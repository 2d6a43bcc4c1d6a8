//! Shows the records of one order in all databases on one time line: status, charges, effects, postings, and events with their
//! delivery. It only reads.

mod database;
mod deliveries;
mod timeline;

use std::process::ExitCode;

use clap::Parser;
use jiff::Timestamp;
use types::{ChargeId, OrderId};

use crate::{
    database::{DATABASES, Database},
    deliveries::{Consumer, PublishedEvent},
    timeline::Timeline,
};

/// Shows the records of one order in all databases on one time line. Reads the URLs of the databases from the environment, as
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
        Ok(timeline) => {
            print!("{timeline}");
            if timeline.is_complete() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(order: OrderId) -> anyhow::Result<Timeline> {
    let mut timeline = Timeline::default();
    let mut databases = Vec::new();
    for (service, statement) in DATABASES {
        match Database::connect(service).await {
            Ok(database) => databases.push((database, statement)),
            Err(error) => timeline.add_gap(format!("{service}: {error:#}")),
        }
    }
    let mut aggregates = vec![order.to_string()];
    let mut events: Vec<PublishedEvent> = Vec::new();
    for (database, statement) in &mut databases {
        for entry in database.entries(statement, order).await? {
            timeline.add(entry);
        }
        match database.service {
            "ordering" => {
                timeline.set_summary(database.order_summary(order).await?);
                events.extend(deliveries::order_events(database, order).await?);
            }
            "payments" => {
                let charges: Vec<ChargeId> = database.charges(order).await?;
                aggregates.extend(charges.iter().map(ToString::to_string));
                events.extend(deliveries::refund_events(database, order).await?);
            }
            _ => {}
        }
    }
    let created_at = created_at(order);
    for (database, _) in &mut databases {
        for entry in database.events(&aggregates, created_at).await? {
            timeline.add(entry);
        }
        let consumer = Consumer::new(database.service, &events);
        consumer.add_deliveries(database, &mut timeline).await?;
    }
    Ok(timeline)
}

/// Returns the time in the id of an order, a UUIDv7.
fn created_at(order: OrderId) -> Timestamp {
    let time = order.uuid().get_timestamp().map(|time| time.to_unix().0);
    let seconds = time.and_then(|seconds| i64::try_from(seconds).ok());
    seconds
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .unwrap_or(Timestamp::UNIX_EPOCH)
}
