//! The faults of a run, chosen before it starts, so that a seed repeats them.

use std::{fmt, time::Duration};

use rand::{RngExt, rngs::StdRng};
use tokio::time::{Instant, sleep, sleep_until};

use super::ORDER_TIMES;
use crate::harness::{Fault, Stack, control};

const SERVERS: [&str; 3] = ["postgres", "rabbitmq", "redis"];

#[derive(Debug, Clone, Copy)]
enum Action {
    /// SIGKILL, then a new process after the time of the fault.
    Kill,
    /// SIGSTOP for the time of the fault.
    Freeze,
    /// SIGTERM, then a new process.
    Restart,
}

#[derive(Debug)]
enum Target {
    /// Index of a process of the stack.
    Process(usize, Action),
    Server(&'static str, Action),
    /// Indexes of links of the stack.
    Links(Vec<usize>, Fault),
}

#[derive(Debug)]
struct Step {
    at: Duration,
    time: Duration,
    target: Target,
}

/// Faults of the same kind do not overlap: each lane runs one after another, and the lanes run at the same time.
pub struct Schedule {
    time: Duration,
    lanes: Vec<Vec<Step>>,
}

impl Schedule {
    pub fn new(random: &mut StdRng, stack: &Stack, time: Duration) -> Self {
        // Two lanes for processes, so that both replicas can be down; they share no process.
        let half = |random: &mut StdRng, lane: usize| {
            let of_lane: Vec<_> = (0..stack.processes().len())
                .filter(|index| index % 2 == lane)
                .collect();
            Target::Process(of_lane[random.random_range(0..of_lane.len())], action(random))
        };
        let lanes = vec![
            steps(random, time, 1_000..5_000, |random| half(random, 0)),
            steps(random, time, 1_000..5_000, |random| half(random, 1)),
            steps(random, time, 4_000..8_000, |random| {
                Target::Server(SERVERS[random.random_range(0..SERVERS.len())], action(random))
            }),
            steps(random, time, 500..3_000, |random| {
                Target::Links(links(random, stack), fault(random))
            }),
        ];
        Self { time, lanes }
    }

    /// Runs all faults and ends them.
    pub async fn run(&self, stack: &'static Stack) {
        let began = Instant::now();
        let lanes = self.lanes.iter().map(async |lane| {
            for step in lane {
                sleep_until(began + step.at).await;
                println!(
                    "  {:5.1} s: {}",
                    began.elapsed().as_secs_f32(),
                    Shown(step, stack)
                );
                step.run(stack).await;
            }
        });
        futures::future::join_all(lanes).await;
        sleep_until(began + self.time).await;
    }
}

/// Returns steps until the end, with pauses of this many milliseconds.
fn steps(
    random: &mut StdRng,
    end: Duration,
    pause: std::ops::Range<u64>,
    mut target: impl FnMut(&mut StdRng) -> Target,
) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = Duration::ZERO;
    loop {
        at += Duration::from_millis(random.random_range(pause.clone()));
        let time = Duration::from_millis(random.random_range(100..3_000));
        if at + time >= end {
            return steps;
        }
        let target = target(random);
        steps.push(Step { at, time, target });
        at += time;
    }
}

fn action(random: &mut StdRng) -> Action {
    match random.random_range(0..3) {
        0 => Action::Kill,
        1 => Action::Freeze,
        _ => Action::Restart,
    }
}

fn fault(random: &mut StdRng) -> Fault {
    match random.random_range(0..4) {
        0 => Fault::Delay(Duration::from_millis(random.random_range(20..1_500))),
        1 => Fault::Cut,
        2 => Fault::Blackhole,
        _ => Fault::Garble,
    }
}

/// Returns one link, or all links to one process or server.
fn links(random: &mut StdRng, stack: &Stack) -> Vec<usize> {
    let links = stack.links();
    let chosen = random.random_range(0..links.len());
    if random.random_bool(0.5) {
        return vec![chosen];
    }
    (0..links.len())
        .filter(|index| links[*index].to == links[chosen].to)
        .collect()
}

impl Step {
    async fn run(&self, stack: &'static Stack) {
        match &self.target {
            Target::Process(index, action) => {
                let process = &stack.processes()[*index];
                match action {
                    Action::Kill => {
                        process.kill();
                        sleep(self.time).await;
                        process.start(&ORDER_TIMES);
                    }
                    Action::Freeze => {
                        process.freeze();
                        sleep(self.time).await;
                        process.resume();
                    }
                    Action::Restart => {
                        process.stop().await;
                        process.start(&ORDER_TIMES);
                    }
                }
            }
            Target::Server(server, action) => {
                let (begin, end) = match action {
                    Action::Kill => ("kill", "start"),
                    Action::Freeze => ("freeze", "resume"),
                    Action::Restart => ("stop", "start"),
                };
                run_control(begin, server).await;
                sleep(self.time).await;
                run_control(end, server).await;
            }
            Target::Links(links, fault) => {
                for link in links {
                    stack.links()[*link].set(Some(*fault));
                }
                sleep(self.time).await;
                for link in links {
                    stack.links()[*link].set(None);
                }
            }
        }
    }
}

async fn run_control(action: &'static str, server: &'static str) {
    tokio::task::spawn_blocking(move || control(action, server))
        .await
        .unwrap();
}

struct Shown<'a>(&'a Step, &'a Stack);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(step, stack) = self;
        match &step.target {
            Target::Process(index, action) => {
                let process = &stack.processes()[*index];
                write!(out, "{action:?} {}-{}", process.name, process.replica)?;
            }
            Target::Server(server, action) => write!(out, "{action:?} {server}")?,
            Target::Links(links, fault) => {
                let link = &stack.links()[links[0]];
                let from = if links.len() == 1 { &link.from } else { "all" };
                write!(out, "{fault:?} {from} to {}", link.to)?;
            }
        }
        write!(out, " for {} ms", step.time.as_millis())
    }
}
