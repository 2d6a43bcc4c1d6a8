//! Measures the targets of speed and cost, each next to its reference on the same machine in the same run, and writes the
//! report `docs/performance.md`. `make load` starts optimized programs with empty databases and runs this program.

#![expect(clippy::cast_precision_loss, reason = "figures are rounded for display")]

mod bulk_stores;
mod consumers;
mod degraded;
mod environment;
mod envoy;
mod events;
mod gateway;
mod generator;
mod http;
mod idle;
mod orders;
mod pgbench;
mod postings;
mod report;
mod scale;
mod services;
mod session;
mod stores;
mod system;
mod usage;

use std::{cell::Cell, path::PathBuf, sync::Arc, time::Duration};

use anyhow::ensure;
use clap::{Parser, ValueEnum};
use tokio::signal::unix::{SignalKind, signal};
use types::StoreId;

use crate::{consumers::Target, generator::LoadGenerator, orders::Orders, report::Section, system::System};

/// Time of the idle system.
const IDLE_TIME: Duration = Duration::from_secs(30);

/// Options of the load. Other settings come from the environment of the stack.
#[derive(Debug, Parser)]
#[command(
    name = "load",
    about = "Speed and cost of the whole system, next to references on the same machine"
)]
struct Arguments {
    /// Base URL of the gateway.
    #[arg(long, env = "BASE_URL")]
    gateway: String,
    /// Measures only these, for example `p1,p5`.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Measured>,
    /// Duration of the measurements of orders in seconds. Others take a third or half of it.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Number of consumers, each with a balance.
    #[arg(long, default_value_t = 200)]
    consumers: usize,
    /// Number of stores that orders are placed at, always open.
    #[arg(long, default_value_t = 500)]
    stores: usize,
    /// Orders per second. By default the highest sustained rate is determined first.
    #[arg(long)]
    rate: Option<f64>,
    /// Clients of pgbench.
    #[arg(long, default_value_t = 16)]
    clients: u32,
    /// Number of stores that P5 grows to.
    #[arg(long, default_value_t = 1_000_000)]
    max_stores: i64,
    /// Stores that P5 copies, as a file for `stores import`.
    #[arg(long, env = "STORES_FILE")]
    stores_file: String,
    /// Page with the results. Nothing is written without it.
    #[arg(long)]
    report: Option<PathBuf>,
}

/// The targets, in the order of their measurement: the idle system is new, and a million stores come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Measured {
    P7,
    P1,
    P3,
    P2,
    P4,
    P6,
    P10,
    P5,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    kit::tls::install_provider();
    let run = Run::new(Arguments::parse())?;
    let mut terminate = signal(SignalKind::terminate())?;
    // The processes are killed when their owner is dropped.
    tokio::select! {
        result = run.measure_all() => result,
        _ = terminate.recv() => anyhow::bail!("terminated"),
        _ = tokio::signal::ctrl_c() => anyhow::bail!("interrupted"),
    }
}

struct Run {
    arguments: Arguments,
    time: Duration,
    /// Date, commit and machine.
    description: String,
    failures: Cell<usize>,
}

impl Run {
    fn new(arguments: Arguments) -> anyhow::Result<Self> {
        Ok(Self {
            time: Duration::from_secs(arguments.seconds),
            description: environment::describe_run()?,
            failures: Cell::new(0),
            arguments,
        })
    }

    fn includes(&self, target: Measured) -> bool {
        self.arguments.only.is_empty() || self.arguments.only.contains(&target)
    }

    async fn measure_all(&self) -> anyhow::Result<()> {
        println!("{}", self.description);
        let mut system = System::start(&[]).await?;
        if self.includes(Measured::P7) {
            self.report(idle::measure(&system, IDLE_TIME).await)?;
        }
        if [Measured::P1, Measured::P2, Measured::P3, Measured::P10]
            .into_iter()
            .any(|target| self.includes(target))
        {
            self.measure_with_consumers(&mut system).await?;
        }
        if self.includes(Measured::P4) {
            self.report(postings::measure(self.time / 3).await)?;
        }
        if self.includes(Measured::P6) {
            self.report(events::measure(self.time / 3).await)?;
        }
        if self.includes(Measured::P5) {
            let Arguments {
                gateway,
                stores_file,
                max_stores,
                ..
            } = &self.arguments;
            self.report(scale::measure(gateway, stores_file, *max_stores, self.time / 10).await)?;
        }
        system.stop().await?;
        let failures = self.failures.get();
        ensure!(failures == 0, "{failures} measurements failed");
        Ok(())
    }

    /// Measures what needs consumers and stores.
    async fn measure_with_consumers(&self, system: &mut System) -> anyhow::Result<()> {
        let Arguments {
            gateway,
            consumers,
            stores,
            clients,
            rate,
            ..
        } = &self.arguments;
        eprintln!("preparing {consumers} consumers and {stores} stores");
        let stores: Vec<StoreId> = stores::import(*stores).await?;
        let target = Arc::new(Target::prepare(gateway, &stores, *consumers).await?);
        let orders: Orders = LoadGenerator::new(Arc::clone(&target));
        let size = pgbench::Size {
            clients: *clients,
            stores: stores.len(),
            consumers: *consumers,
        };
        if self.includes(Measured::P1) {
            self.report(orders::measure(&orders, *rate, size, self.time).await)?;
        }
        if self.includes(Measured::P3) {
            self.report(session::measure(target, self.time).await)?;
        }
        if self.includes(Measured::P2) {
            self.report(gateway::measure(gateway, &stores, self.time / 3).await)?;
        }
        if self.includes(Measured::P10) {
            self.report(degraded::measure(system, &orders, self.time / 2).await)?;
        }
        Ok(())
    }

    /// Prints and writes a result. A failed measurement does not prevent the following ones, but the program fails at the end.
    fn report(&self, measured: anyhow::Result<Section>) -> anyhow::Result<()> {
        let section = match measured {
            Ok(section) => section,
            Err(error) => {
                eprintln!("measurement failed: {error:#}");
                self.failures.set(self.failures.get() + 1);
                return Ok(());
            }
        };
        println!("\n## {}\n\n{}", section.id, section.to_markdown());
        match &self.arguments.report {
            Some(file) => report::write(file, &self.description, &section),
            None => Ok(()),
        }
    }
}
