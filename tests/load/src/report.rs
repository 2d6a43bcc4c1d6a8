//! The table for the README.

use std::time::Duration;

use crate::{machine::Spent, pgbench::Bare, rate::Measured};

/// A row of it.
#[derive(Debug)]
pub struct Line {
    name: String,
    a_second: f64,
    latencies: Option<(Duration, Duration)>,
    processor_ms: f64,
    commits: f64,
}

impl Line {
    /// Of orders through the gateway.
    pub fn of_gateway(name: &str, measured: &Measured, spent: Spent) -> Self {
        let orders = measured.latencies.len() as f64;
        Self {
            name: name.to_owned(),
            a_second: measured.in_time as f64 / measured.time.as_secs_f64(),
            latencies: Some((measured.quantile(50), measured.quantile(99))),
            processor_ms: spent.processor.as_secs_f64() * 1_000.0 / orders,
            commits: spent.commits as f64 / orders,
        }
    }

    /// Of the SQL alone.
    pub fn of_pgbench(clients: u32, bare: Bare) -> Self {
        Self {
            name: format!("pgbench, the same SQL, {clients} clients"),
            a_second: bare.a_second,
            latencies: None,
            processor_ms: bare.processor_ms,
            commits: bare.commits,
        }
    }
}

/// Prints the table, and how the first row stands to the last.
pub fn print(lines: &[Line]) {
    println!("| | orders a second | p50 | p99 | processor an order, all of the machine | commits an order |");
    println!("|---|---|---|---|---|---|");
    for line in lines {
        let (p50, p99) = line
            .latencies
            .map_or(("–".to_owned(), "–".to_owned()), |(p50, p99)| {
                (shown(p50), shown(p99))
            });
        println!(
            "| {} | {:.0} | {p50} | {p99} | {:.1} ms | {:.1} |",
            line.name, line.a_second, line.processor_ms, line.commits
        );
    }
    if let [first, .., last] = lines {
        println!(
            "\n{:.2} of what pgbench makes of the same SQL.",
            first.a_second / last.a_second
        );
    }
}

fn shown(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}
