//! Measures stored-value orders a second through the gateway, open loop, and what pgbench makes of the same SQL on the
//! same server right after. `make load` starts an optimised system afresh and runs this beside it.

mod machine;
mod people;
mod pgbench;
mod rate;
mod report;
mod shops;

use std::{sync::Arc, time::Duration};

use anyhow::ensure;
use clap::Parser;

use crate::{
    people::Place,
    rate::{Measured, Orders},
    report::{Line, print},
};

/// How the load is made. Everything else comes from the environment of the stack.
#[derive(Debug, Parser)]
#[command(
    name = "load",
    about = "Stored-value orders a second through the gateway, beside pgbench running the same SQL"
)]
struct Arguments {
    /// Where the gateway is.
    #[arg(long, env = "BASE_URL")]
    gateway: String,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Consumers that order, each with a balance of their own.
    #[arg(long, default_value_t = 200)]
    consumers: usize,
    /// Stores that they order from, always open.
    #[arg(long, default_value_t = 500)]
    stores: usize,
    /// Orders a second to measure at; what the system holds is found out where none is given.
    #[arg(long)]
    rate: Option<u32>,
    /// Clients of pgbench.
    #[arg(long, default_value_t = 16)]
    clients: u32,
}

/// Of what a closed loop reaches, in hundredths, tried in this order: the first that an open loop holds is measured.
const SHARES: [u32; 5] = [95, 88, 80, 70, 60];
const AT_ONCE: usize = 48;
const WARM_UP: Duration = Duration::from_secs(5);
const TRIAL: Duration = Duration::from_secs(8);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let time = Duration::from_secs(arguments.seconds);
    eprintln!(
        "preparing {} consumers and {} stores",
        arguments.consumers, arguments.stores
    );
    let stores = shops::open(arguments.stores).await?;
    let place = Place::prepare(&arguments.gateway, &stores, arguments.consumers).await?;
    let orders = Arc::new(Orders::new(place));

    eprintln!("warming up");
    orders.closed_loop(AT_ONCE, WARM_UP).await;
    let rate = match arguments.rate {
        Some(rate) => rate,
        None => held(&orders).await?,
    };
    let mut lines = Vec::new();
    for (name, rate) in [
        ("through the gateway, as many as it holds", rate),
        ("at half of that", rate / 2),
    ] {
        eprintln!("{} s at {rate} orders a second", time.as_secs());
        let before = machine::Reading::take().await?;
        let measured = orders.open_loop(rate, time).await;
        let spent = before.until_now().await?;
        ensure!(measured.failed.is_empty(), "orders failed: {:?}", measured.failed);
        lines.push(Line::of_gateway(name, &measured, spent));
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
    lines.push(Line::of_pgbench(clients, pgbench::run(size, time).await?));
    print(&lines);
    Ok(())
}

/// The highest rate that an open loop holds.
async fn held(orders: &Arc<Orders>) -> anyhow::Result<u32> {
    eprintln!("finding out how many it holds");
    let reached = orders.closed_loop(AT_ONCE, TRIAL).await.a_second();
    for share in SHARES {
        let rate = reached * share / 100;
        let trial = orders.open_loop(rate, TRIAL).await;
        eprintln!(
            "  {rate} offered, {} done, p99 {:?}",
            trial.a_second(),
            trial.quantile(99)
        );
        if holds(&trial, rate) {
            return Ok(rate);
        }
    }
    anyhow::bail!("no rate is held, although a closed loop reaches {reached} a second")
}

/// A rate is held when nothing fails, nearly all is done while it is offered, and nobody waits long.
fn holds(trial: &Measured, rate: u32) -> bool {
    trial.failed.is_empty()
        && trial.a_second() >= rate * 97 / 100
        && trial.quantile(99) < Duration::from_millis(500)
}
