//! P7: memory and CPU of the idle processes, and the time until all are ready.

use std::time::Duration;

use anyhow::Context;
use tokio::time::sleep;

use crate::{
    report::{Section, TargetResult, millis},
    system::System,
    usage::time_of,
};

/// Work after the start, for example audits, ends in this time.
const SETTLE: Duration = Duration::from_secs(8);
const KIB: f64 = 1024.0;

/// Measures the processes of a system that was just started.
pub async fn measure(system: &System, time: Duration) -> anyhow::Result<Section> {
    sleep(SETTLE).await;
    let processes: Vec<_> = system.processes().collect();
    let mut before = Vec::new();
    for (_, id) in &processes {
        before.push(time_of(*id)?);
    }
    sleep(time).await;
    let (mut rows, mut all_cpu, mut all_resident, mut all_shared) = (Vec::new(), 0.0, 0.0, 0.0);
    for ((name, id), before) in processes.iter().zip(before) {
        let cpu = millis(time_of(*id)?.saturating_sub(before)) / millis(time) * 100.0;
        let (resident, proportional) = memory_of(*id)?;
        all_cpu += cpu;
        all_resident += resident;
        all_shared += proportional;
        rows.push(row(name, resident, proportional, cpu));
    }
    rows.push(row("all", all_resident, all_shared, all_cpu));
    Ok(Section {
        id: "p7",
        columns: &["process", "resident", "proportional", "CPU of one core"],
        rows,
        targets: vec![
            TargetResult::at_most("resident memory of all processes", all_resident, 250.0, " MB"),
            TargetResult::at_most("CPU of all idle processes", all_cpu, 1.0, " percent of a core"),
            TargetResult::at_most(
                "time until all are ready",
                system.start_time.as_secs_f64(),
                3.0,
                " s",
            ),
        ],
    })
}

fn row(name: &str, resident: f64, proportional: f64, cpu: f64) -> Vec<String> {
    vec![
        name.to_owned(),
        format!("{resident:.1} MB"),
        format!("{proportional:.1} MB"),
        format!("{cpu:.2} percent"),
    ]
}

/// Returns the resident memory of a process, and its share of memory that several processes map, in MB.
fn memory_of(process: u32) -> anyhow::Result<(f64, f64)> {
    let rollup = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let field = |name: &str| {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        Some(kib / KIB)
    };
    field("Rss:").zip(field("Pss:")).context("malformed smaps_rollup")
}
