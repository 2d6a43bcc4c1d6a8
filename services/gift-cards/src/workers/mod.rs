//! Background jobs. Every replica runs all of them; leases resolve conflicts.

mod prune;

use std::{sync::Arc, time::Duration};

use kit::{InternalError, audit::Schedule, grpc::deadline, lifecycle::Process};

use crate::{
    GiftCards,
    ops::{
        audit::{PURCHASE_RUNS, audit_new_purchases},
        audit_money::MoneyAudit,
        deliver_gift_cards::deliver_gift_cards,
        recover_purchases::recover_purchases,
        reload_joepass::reload_joepass,
    },
    sender::GiftMessageSender,
};

const INTERVAL: Duration = Duration::from_secs(1);

/// Starts each job on a task of its own, so that one that waits for a service delays no other job.
pub(crate) fn start(process: &Process, cx: &GiftCards, sender: Option<Arc<dyn GiftMessageSender>>) {
    prune::start(process, cx);
    audit_periodically(cx, cx.rules.audit_interval());
    kit::audit::start(&MoneyAudit(cx.clone()));
    run_periodically(cx, "recovery", |cx| async move { recover_purchases(&cx).await });
    run_periodically(cx, "auto reload", |cx| async move { reload_joepass(&cx).await });
    match sender {
        Some(sender) => run_periodically(cx, "gift card delivery", move |cx| {
            let sender = Arc::clone(&sender);
            async move { deliver_gift_cards(&cx, &sender).await }
        }),
        None => tracing::warn!("gift cards are not delivered: GIFT_MESSAGE_URL is not set"),
    }
}

/// Compares changed purchases with the ledger at an interval until shutdown.
fn audit_periodically(cx: &GiftCards, interval: Duration) {
    let worker_cx = cx.clone();
    let schedule = Schedule {
        name: "purchase audit",
        interval,
        runs: &PURCHASE_RUNS,
    };
    cx.process.spawn_worker(schedule.name, move || {
        let cx = worker_cx.clone();
        async move {
            kit::audit::run_periodically(&cx.process, schedule, || async {
                let findings = audit_new_purchases(&cx).await?;
                Ok::<_, InternalError>(findings.map(|findings| findings.is_empty()))
            })
            .await;
        }
    });
}

/// Runs a job at an interval until shutdown.
fn run_periodically<F>(
    cx: &GiftCards,
    worker: &'static str,
    job: impl Fn(GiftCards) -> F + Clone + Send + Sync + 'static,
) where
    F: Future<Output = Result<usize, InternalError>> + Send,
{
    let worker_cx = cx.clone();
    cx.process.spawn_worker(worker, move || {
        let (cx, job) = (worker_cx.clone(), job.clone());
        async move {
            while cx.process.sleep(INTERVAL).await {
                if let Err(error) = deadline::within(cx.rules.saga_lease(), job(cx.clone())).await {
                    tracing::warn!(worker, %error, "worker failed; will retry");
                }
            }
        }
    });
}
