//! Measures stored-value orders per second through the gateway in an open loop, then pgbench with the same SQL on the same
//! server, and public reads next to a bare handler. `make load` starts an optimized system with empty databases and runs this program.

#![expect(clippy::cast_precision_loss, reason = "figures are rounded for display")]

mod consumers;
mod generator;
mod pgbench;
mod public_reads;
mod report;
mod stores;
mod usage;

use std::{sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use clap::Parser;
use types::StoreId;

use crate::{
    consumers::Target,
    generator::{LoadGenerator, Measurement},
    report::{ReportRow, print, print_reads},
};

/// Options of the load. Other settings come from the environment of the stack.
#[derive(Debug, Parser)]
#[command(
    name = "load",
    about = "Stored-value orders per second through the gateway, compared with pgbench running the same SQL"
)]
struct Arguments {
    /// Base URL of the gateway.
    #[arg(long, env = "BASE_URL")]
    gateway: String,
    /// Duration of each measurement in seconds.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Number of consumers, each with a balance.
    #[arg(long, default_value_t = 200)]
    consumers: usize,
    /// Number of stores, always open.
    #[arg(long, default_value_t = 500)]
    stores: usize,
    /// Orders per second. By default the highest sustained rate is determined first.
    #[arg(long)]
    rate: Option<u32>,
    /// Clients of pgbench.
    #[arg(long, default_value_t = 16)]
    clients: u32,
    /// Measures only public reads, of this store.
    #[arg(long)]
    public_reads_of: Option<StoreId>,
}

/// Percentages of the closed-loop rate, tried in this order until the open loop sustains one.
const RATE_PERCENTAGES: [u32; 5] = [95, 88, 80, 70, 60];
const CONCURRENCY: usize = 48;
const WARM_UP: Duration = Duration::from_secs(5);
const TRIAL: Duration = Duration::from_secs(8);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let time = Duration::from_secs(arguments.seconds);
    if let Some(store) = arguments.public_reads_of {
        print_reads(&public_reads::measure(&arguments.gateway, store, time).await?);
        return Ok(());
    }
    eprintln!(
        "preparing {} consumers and {} stores",
        arguments.consumers, arguments.stores
    );
    let stores = stores::import(arguments.stores).await?;
    let first_store = *stores.first().context("at least one store is needed")?;
    let target = Target::prepare(&arguments.gateway, &stores, arguments.consumers).await?;
    let orders = Arc::new(LoadGenerator::new(target));

    eprintln!("warming up");
    orders.closed_loop(CONCURRENCY, WARM_UP).await;
    let rate = match arguments.rate {
        Some(rate) => rate,
        None => highest_sustained_rate(&orders).await?,
    };
    let mut rows = Vec::new();
    for (name, rate) in [
        ("through the gateway, maximum", rate),
        ("at half of that", rate / 2),
    ] {
        eprintln!("{} s at {rate} orders per second", time.as_secs());
        let before = usage::Snapshot::take().await?;
        let measured = orders.open_loop(rate, time).await;
        let usage = before.until_now().await?;
        ensure!(measured.failed.is_empty(), "orders failed: {:?}", measured.failed);
        rows.push(ReportRow::of_gateway(name, &measured, usage));
    }
    eprintln!("pgbench, {} s", time.as_secs());
    let Arguments {
        clients,
        stores,
        consumers,
        ..
    } = arguments;
    let size = pgbench::Size {
        clients,
        stores,
        consumers,
    };
    rows.push(ReportRow::of_pgbench(clients, pgbench::run(size, time).await?));
    print(&rows);
    eprintln!("public reads, {} s each", time.as_secs());
    print_reads(&public_reads::measure(&arguments.gateway, first_store, time).await?);
    Ok(())
}

/// Returns the highest rate that the open loop sustains.
async fn highest_sustained_rate(orders: &Arc<LoadGenerator>) -> anyhow::Result<u32> {
    eprintln!("determining the highest sustained rate");
    let closed_loop_rate = orders.closed_loop(CONCURRENCY, TRIAL).await.per_second();
    for percentage in RATE_PERCENTAGES {
        let rate = closed_loop_rate * percentage / 100;
        let trial = orders.open_loop(rate, TRIAL).await;
        eprintln!(
            "  {rate} offered, {} completed, p99 {:?}",
            trial.per_second(),
            trial.percentile(99)
        );
        if is_sustained(&trial, rate) {
            return Ok(rate);
        }
    }
    anyhow::bail!("no rate is sustained, although a closed loop reaches {closed_loop_rate} per second")
}

/// A rate is sustained if no order fails, 97 percent complete within the trial, and p99 is below 500 ms.
fn is_sustained(trial: &Measurement, rate: u32) -> bool {
    trial.failed.is_empty()
        && trial.per_second() >= rate * 97 / 100
        && trial.percentile(99) < Duration::from_millis(500)
}
