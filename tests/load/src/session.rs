//! P3: latency of all calls of a session, at half of the rate that saturates the machine.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context, ensure};
use async_trait::async_trait;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    consumers::Target,
    generator::{LoadGenerator, Operation},
    report::{Section, TargetResult, format_ms, millis, percentile},
};

/// Sessions at the same time while the highest rate is measured.
const CONCURRENCY: usize = 16;
const TRIAL: Duration = Duration::from_secs(8);
const WARM_UP: Duration = Duration::from_secs(3);
const PLACE: &str = "place an order";

/// The sessions of consumers who find a store, choose, order and look at their account.
pub struct Sessions {
    target: Arc<Target>,
    latencies: Mutex<BTreeMap<&'static str, Vec<Duration>>>,
}

#[async_trait]
impl Operation for Sessions {
    async fn run(&self, number: usize) -> anyhow::Result<()> {
        // Different places, so that the lists of stores are not those of the previous session.
        let offset = (number % 4_000) as f64 / 10_000.0;
        let (latitude, longitude) = (37.55 + offset, -122.6 + offset);
        let at = format!("lat={latitude:.4}&lon={longitude:.4}");
        let store = self.target.store(number);
        let get = async |name, path: String| self.get(name, number, path).await;
        get("list stores", format!("stores/list?{at}")).await?;
        get("search stores", format!("stores/search?term=sun&{at}")).await?;
        get("map", format!("stores/map?span=0.5&{at}")).await?;
        get("menu", format!("store/menu?storeId={store}")).await?;
        get("item", self.target.item_path(number)).await?;
        let pricing = json!({ "cart": self.target.cart(number) });
        let price = self
            .target
            .send(number, Method::POST, "order/pricing", Some(&pricing));
        self.record("price a cart", price).await?;
        let order = self.record(PLACE, self.target.place_order(number)).await?;
        let order_id = order["orderId"].as_str().context("no order id")?;
        get("order status", format!("order/status?orderId={order_id}")).await?;
        get("orders", "user/orders".to_owned()).await?;
        get("wallet", "user/wallet".to_owned()).await?;
        get("inbox", "inbox/list".to_owned()).await?;
        Ok(())
    }
}

impl Sessions {
    async fn get(&self, name: &'static str, number: usize, path: String) -> anyhow::Result<Value> {
        self.record(name, self.target.send(number, Method::GET, &path, None))
            .await
    }

    async fn record(
        &self,
        name: &'static str,
        call: impl Future<Output = anyhow::Result<Value>>,
    ) -> anyhow::Result<Value> {
        let sent = Instant::now();
        let response = call.await.with_context(|| name)?;
        let mut latencies = self.latencies.lock().unwrap_or_else(PoisonError::into_inner);
        latencies.entry(name).or_default().push(sent.elapsed());
        Ok(response)
    }

    fn take_latencies(&self) -> BTreeMap<&'static str, Vec<Duration>> {
        std::mem::take(&mut *self.latencies.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Measures the latencies of each call.
pub async fn measure(target: Arc<Target>, time: Duration) -> anyhow::Result<Section> {
    let sessions = LoadGenerator::new(Sessions {
        target,
        latencies: Mutex::default(),
    });
    sessions.closed_loop(CONCURRENCY, WARM_UP).await;
    let saturated = sessions.closed_loop(CONCURRENCY, TRIAL).await;
    ensure!(
        saturated.failed.is_empty(),
        "sessions failed: {:?}",
        saturated.failed
    );
    let rate = saturated.per_second() / 2.0;
    eprintln!("  {rate:.1} sessions per second, half of the maximum");
    sessions.operation.take_latencies();
    let measured = sessions.open_loop(rate, time).await;
    ensure!(
        measured.failed.is_empty(),
        "sessions failed: {:?}",
        measured.failed
    );

    let (mut rows, mut reads, mut placing) = (Vec::new(), Vec::new(), Duration::MAX);
    for (name, mut latencies) in sessions.operation.take_latencies() {
        latencies.sort_unstable();
        let p99 = percentile(&latencies, 99);
        rows.push(vec![
            name.to_owned(),
            latencies.len().to_string(),
            format_ms(percentile(&latencies, 50)),
            format_ms(p99),
        ]);
        if name == PLACE {
            placing = p99;
        } else {
            reads.extend(latencies);
        }
    }
    reads.sort_unstable();
    Ok(Section {
        id: "p3",
        columns: &["call", "calls", "p50", "p99"],
        rows,
        targets: vec![
            TargetResult::at_most("p99 over all reads", millis(percentile(&reads, 99)), 10.0, " ms"),
            TargetResult::at_most("p99 of placing an order", millis(placing), 25.0, " ms"),
        ],
    })
}
