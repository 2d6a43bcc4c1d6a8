//! P1: stored-value orders per second through the gateway, next to pgbench with the same SQL.

use std::{sync::Arc, time::Duration};

use anyhow::ensure;
use async_trait::async_trait;

use crate::{
    consumers::Target,
    generator::{LoadGenerator, Measurement, Operation},
    pgbench::{self, PgbenchResult},
    report::{Section, TargetResult, format_ms, millis},
    usage::{Snapshot, Usage},
};

/// Percentages of the closed-loop rate, tried in this order until the open loop sustains one.
const RATE_PERCENTAGES: [u32; 5] = [95, 88, 80, 70, 60];
pub const CONCURRENCY: usize = 48;
pub const WARM_UP: Duration = Duration::from_secs(5);
const TRIAL: Duration = Duration::from_secs(8);

const COLUMNS: &[&str] = &[
    "",
    "orders per second",
    "p50",
    "p99",
    "CPU per order, whole machine",
    "statements per order",
    "commits per order",
];

/// Places orders.
pub type Orders = Arc<LoadGenerator<Arc<Target>>>;

#[async_trait]
impl Operation for Arc<Target> {
    async fn run(&self, number: usize) -> anyhow::Result<()> {
        self.place_order(number).await.map(drop)
    }
}

/// Measures orders at the highest sustained rate, at half and at twice of it.
pub async fn measure(
    orders: &Orders,
    rate: Option<f64>,
    size: pgbench::Size,
    time: Duration,
) -> anyhow::Result<Section> {
    let reference_before = measure_reference(size, time).await?;
    orders.closed_loop(CONCURRENCY, WARM_UP).await;
    let (rate, maximum, usage) = match rate {
        Some(rate) => {
            let (maximum, usage) = measure_rate(orders, rate, time).await?;
            (rate, maximum, usage)
        }
        None => measure_maximum(orders, time).await?,
    };
    let mut rows = Vec::new();
    rows.push(row("through the gateway, maximum", &maximum, &usage));
    let cpu_ms = millis(usage.cpu) / maximum.latencies.len().max(1) as f64;
    rows.push(cpu_of_programs(&usage, maximum.latencies.len()));
    let (half, usage) = measure_rate(orders, rate / 2.0, time).await?;
    rows.push(row("at half of that", &half, &usage));
    rows.push(cpu_of_programs(&usage, half.latencies.len()));

    eprintln!("  {:.0} orders per second, twice the maximum", rate * 2.0);
    let before = Snapshot::take().await?;
    let overload = orders.open_loop(rate * 2.0, time / 2).await;
    let usage = before.until_now().await?;
    let (overloaded, others) = split_failures(&overload);
    ensure!(others.is_empty(), "orders failed at twice the maximum: {others}");
    let offered = overload.latencies.len() + overloaded;
    let name = format!("at twice the maximum ({overloaded} of {offered} got 503 OVERLOADED)");
    rows.push(row(&name, &overload, &usage));

    let reference_after = measure_reference(size, time).await?;
    let references = [("before", reference_before), ("after", reference_after)];
    rows.extend(references.map(|(when, result)| pgbench_row(when, size.clients, result)));
    let reference_rate = f64::midpoint(reference_before.per_second, reference_after.per_second);
    let targets = vec![
        TargetResult::at_least(
            "maximum by pgbench",
            maximum.per_second() / reference_rate,
            0.5,
            "",
        ),
        TargetResult::at_most("CPU per order at the maximum", cpu_ms, 5.0, " ms"),
        TargetResult::at_most(
            "p99 at half of the maximum",
            millis(half.percentile(99)),
            25.0,
            " ms",
        ),
        TargetResult::at_least(
            "goodput at twice the maximum, by the maximum",
            overload.per_second() / maximum.per_second(),
            0.9,
            "",
        ),
    ];
    Ok(Section {
        id: "p1",
        columns: COLUMNS,
        rows,
        targets,
    })
}

async fn measure_rate(orders: &Orders, rate: f64, time: Duration) -> anyhow::Result<(Measurement, Usage)> {
    eprintln!("  {rate:.0} orders per second");
    let before = Snapshot::take().await?;
    let measured = orders.open_loop(rate, time).await;
    let usage = before.until_now().await?;
    ensure!(measured.failed.is_empty(), "orders failed: {:?}", measured.failed);
    Ok((measured, usage))
}

/// Returns the number of requests that the gateway rejected because of overload, and a list of all other failures.
fn split_failures(measured: &Measurement) -> (usize, String) {
    let (overloaded, others): (Vec<_>, Vec<_>) = measured
        .failed
        .iter()
        .partition(|(message, _)| message.starts_with("503") && message.contains("OVERLOADED"));
    let others: Vec<String> = others
        .iter()
        .map(|(message, count)| format!("{count} × {message}"))
        .collect();
    (
        overloaded.iter().map(|(_, count)| **count).sum(),
        others.join("; "),
    )
}

/// Measures at the highest rate that the open loop sustains. Returns the rate, too.
async fn measure_maximum(orders: &Orders, time: Duration) -> anyhow::Result<(f64, Measurement, Usage)> {
    let closed_loop_rate = orders.closed_loop(CONCURRENCY, TRIAL).await.per_second();
    for percentage in RATE_PERCENTAGES {
        let rate = closed_loop_rate * f64::from(percentage) / 100.0;
        let before = Snapshot::take().await?;
        let measured = orders.open_loop(rate, time).await;
        let usage = before.until_now().await?;
        eprintln!(
            "  {rate:.0} offered, {:.0} completed, p99 {:?}, {} failed",
            measured.per_second(),
            measured.percentile(99),
            measured.failed.values().sum::<usize>()
        );
        if is_sustained(&measured, rate) {
            return Ok((rate, measured, usage));
        }
    }
    anyhow::bail!("no rate is sustained, although a closed loop reaches {closed_loop_rate:.0} per second")
}

/// A rate is sustained if no order fails, 97 percent complete within the trial, and p99 is below 500 ms.
fn is_sustained(trial: &Measurement, rate: f64) -> bool {
    trial.failed.is_empty()
        && trial.per_second() >= rate * 0.97
        && trial.percentile(99) < Duration::from_millis(500)
}

fn row(name: &str, measured: &Measurement, usage: &Usage) -> Vec<String> {
    let orders = measured.latencies.len().max(1) as f64;
    vec![
        name.to_owned(),
        format!("{:.0}", measured.per_second()),
        format_ms(measured.percentile(50)),
        format_ms(measured.percentile(99)),
        format!("{:.1} ms", millis(usage.cpu) / orders),
        format!("{:.1}", usage.statements as f64 / orders),
        format!("{:.1}", usage.commits as f64 / orders),
    ]
}

/// Runs pgbench before and after the orders, because the speed of a shared machine changes between them.
async fn measure_reference(size: pgbench::Size, time: Duration) -> anyhow::Result<PgbenchResult> {
    eprintln!("  pgbench");
    pgbench::run(size, time / 2).await
}

fn pgbench_row(when: &str, clients: u32, result: PgbenchResult) -> Vec<String> {
    vec![
        format!("pgbench, same SQL, {clients} clients, {when}"),
        format!("{:.0}", result.per_second),
        "–".to_owned(),
        "–".to_owned(),
        format!("{:.1} ms", result.cpu_ms),
        format!("{:.1}", result.statements),
        format!("{:.1}", result.commits),
    ]
}

/// Lists the programs that use the most CPU, in milliseconds per order.
fn cpu_of_programs(usage: &Usage, orders: usize) -> Vec<String> {
    const SHOWN: usize = 9;
    let mut programs: Vec<_> = usage.programs.iter().collect();
    programs.sort_by(|a, b| b.1.cmp(a.1));
    let shown: Vec<String> = programs
        .into_iter()
        .take(SHOWN)
        .map(|(name, time)| format!("{name} {:.2}", millis(*time) / orders.max(1) as f64))
        .collect();
    let mut row = vec!["CPU by program".to_owned()];
    row.extend(std::iter::repeat_n("–".to_owned(), 3));
    row.push(shown.join(", "));
    row.extend(std::iter::repeat_n("–".to_owned(), 2));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rejections_because_of_overload_are_no_failures() {
        let failed = [
            ("503 Service Unavailable: \"OVERLOADED\"", 7),
            ("503 Service Unavailable: \"UNAVAILABLE\"", 1),
        ];
        let measured = Measurement {
            failed: failed.map(|(message, count)| (message.to_owned(), count)).into(),
            ..Measurement::default()
        };
        let (overloaded, others) = split_failures(&measured);
        assert_eq!((overloaded, others.starts_with("1 × 503")), (7, true));
    }
}
