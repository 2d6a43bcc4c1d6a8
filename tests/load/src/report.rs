//! Prints the tables for the README.

use std::time::Duration;

use crate::{generator::Measurement, pgbench::PgbenchResult, public_reads::ReadMeasurement, usage::Usage};

#[derive(Debug)]
pub struct ReportRow {
    name: String,
    per_second: f64,
    latencies: Option<(Duration, Duration)>,
    cpu_ms: f64,
    commits: f64,
}

impl ReportRow {
    pub fn of_gateway(name: &str, measured: &Measurement, usage: Usage) -> Self {
        let orders = measured.latencies.len() as f64;
        Self {
            name: name.to_owned(),
            per_second: measured.in_time as f64 / measured.time.as_secs_f64(),
            latencies: Some((measured.percentile(50), measured.percentile(99))),
            cpu_ms: usage.cpu.as_secs_f64() * 1_000.0 / orders,
            commits: usage.commits as f64 / orders,
        }
    }

    pub fn of_pgbench(clients: u32, result: PgbenchResult) -> Self {
        Self {
            name: format!("pgbench, same SQL, {clients} clients"),
            per_second: result.per_second,
            latencies: None,
            cpu_ms: result.cpu_ms,
            commits: result.commits,
        }
    }
}

/// Prints the table and the ratio of the first to the last row.
pub fn print(rows: &[ReportRow]) {
    println!("| | orders per second | p50 | p99 | CPU per order, whole machine | commits per order |");
    println!("|---|---|---|---|---|---|");
    for row in rows {
        let (p50, p99) = row
            .latencies
            .map_or(("–".to_owned(), "–".to_owned()), |(p50, p99)| {
                (format_ms(p50), format_ms(p99))
            });
        println!(
            "| {} | {:.0} | {p50} | {p99} | {:.1} ms | {:.1} |",
            row.name, row.per_second, row.cpu_ms, row.commits
        );
    }
    if let [first, .., last] = rows {
        println!(
            "\n{:.2} of pgbench with the same SQL.",
            first.per_second / last.per_second
        );
    }
}

/// Prints the table of public reads and the ratio of the first to the last row.
pub fn print_reads(rows: &[ReadMeasurement]) {
    println!("\n| | requests per second | p50 | p99 |");
    println!("|---|---|---|---|");
    for row in rows {
        let (p50, p99) = (format_ms(row.p50), format_ms(row.p99));
        println!("| {} | {:.0} | {p50} | {p99} |", row.name, row.per_second);
    }
    if let [first, .., last] = rows {
        println!("\n{:.2} of a bare handler.", first.per_second / last.per_second);
    }
}

fn format_ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1_000.0)
}
