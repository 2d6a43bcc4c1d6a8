//! Background jobs. Every replica runs all of them. Jobs that change charges or effects claim rows by lease.

pub mod alarms;
pub mod audit;
pub mod compare_with_provider;
pub mod effects;
pub mod prune;
pub mod reconcile_charges;

use crate::Payments;
use crate::ops::execute_effect::export_captures_failed;

/// Starts the jobs. Each is restarted after a panic.
pub(crate) fn start(cx: &Payments) {
    export_captures_failed();
    spawn(cx, "effects", effects::run);
    spawn(cx, "reconcile_charges", reconcile_charges::run);
    spawn(cx, "alarms", alarms::run);
    spawn(cx, "prune", prune::run);
    spawn(cx, "audit", audit::run);
    spawn(cx, "compare_with_provider", compare_with_provider::run);
}

fn spawn<F>(cx: &Payments, name: &'static str, job: fn(Payments) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let worker_cx = cx.clone();
    cx.process.spawn_worker(name, move || job(worker_cx.clone()));
}
