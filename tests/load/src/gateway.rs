//! P2: one read through the gateway, next to Envoy's gRPC-JSON transcoder in front of the same service, and to an axum
//! handler that only returns the same bytes.

use std::{sync::Arc, time::Duration};

use axum::{Router, routing::get};
use hyper::{Method, body::Bytes};
use proto::stores::v1::GetStoreRequest;
use tokio::{net::TcpListener, time::Instant};
use types::StoreId;
use url::Url;

use crate::{
    envoy::Envoy,
    http::{RepeatedRequest, closed_loop},
    report::{Section, TargetResult, format_ms, millis, percentile},
    services,
    system::Program,
};

const CONNECTIONS: usize = 32;
const WARM_UP: Duration = Duration::from_secs(2);
const SERVICE: &str = "orderahead.stores.v1.Stores";
const COLUMNS: &[&str] = &[
    "read of a store",
    "requests per second",
    "p50",
    "p99",
    "p50, one connection",
    "added to the gRPC call",
];

struct ReadMeasurement {
    per_second: f64,
    /// With one connection.
    p50: Duration,
    row: Vec<String>,
}

/// Measures reads of stores. The gateway is measured with its cache and, in a second process, without it.
pub async fn measure(gateway: &str, stores: &[StoreId], time: Duration) -> anyhow::Result<Section> {
    let ids: Arc<[StoreId]> = stores.into();
    let direct = direct_latency(&ids, time / 3).await?;
    let cached = Arc::new(info_of(gateway, &ids)?);
    let body = cached.send_once().await?;
    let uncached_listen = free_address()?;
    let settings = [("PUBLIC_READ_MAX_AGE_MS", "0")];
    let mut uncached_gateway = Program::start("gateway", &uncached_listen, &settings)?;
    uncached_gateway.wait_until_ready().await?;
    let uncached = Arc::new(info_of(&format!("http://{uncached_listen}"), &ids)?);
    let envoy = Envoy::start(&services::address_of("STORES_LISTEN")?, SERVICE).await?;

    let mut rows = Vec::new();
    let mut measure = async |name: &str, request: Arc<RepeatedRequest>| {
        let measured = measure_request(name, &request, direct, time).await?;
        rows.push(measured.row.clone());
        anyhow::Ok(measured)
    };
    let with_cache = measure("gateway", cached).await?;
    let without_cache = measure("gateway without its cache", uncached).await?;
    let transcoded = match &envoy {
        Some(envoy) => {
            Some(measure("Envoy's gRPC-JSON transcoder", transcoded_get_store(envoy, &ids)?).await?)
        }
        None => None,
    };
    let reference = Arc::new(RepeatedRequest::get(spawn_reference(body).await?));
    let bare = measure("axum handler that returns the same bytes", reference).await?;
    uncached_gateway.stop().await?;

    let added = without_cache.p50.saturating_sub(direct);
    let mut targets = vec![
        TargetResult::at_least(
            "gateway by axum",
            with_cache.per_second / bare.per_second,
            0.5,
            "",
        ),
        TargetResult::at_most(
            "added at the median, without the cache",
            millis(added) * 1_000.0,
            150.0,
            " µs",
        ),
    ];
    match transcoded {
        Some(envoy) => {
            let (cached, uncached) = (with_cache.per_second, without_cache.per_second);
            targets.push(TargetResult::at_least(
                "gateway by Envoy",
                cached / envoy.per_second,
                2.0,
                "",
            ));
            targets.push(TargetResult::at_least(
                "without the cache by Envoy",
                uncached / envoy.per_second,
                2.0,
                "",
            ));
        }
        None => targets.push(TargetResult::not_measured(
            "gateway by Envoy",
            "Envoy is not installed",
        )),
    }
    Ok(Section {
        id: "p2",
        columns: COLUMNS,
        rows,
        targets,
    })
}

async fn measure_request(
    name: &str,
    request: &Arc<RepeatedRequest>,
    direct: Duration,
    time: Duration,
) -> anyhow::Result<ReadMeasurement> {
    eprintln!("  {name}");
    closed_loop(request, CONNECTIONS, WARM_UP).await?;
    let latencies = closed_loop(request, CONNECTIONS, time).await?;
    let per_second = latencies.len() as f64 / time.as_secs_f64();
    let alone = closed_loop(request, 1, time / 3).await?;
    let p50 = percentile(&alone, 50);
    let added = (millis(p50) - millis(direct)) * 1_000.0;
    let row = vec![
        name.to_owned(),
        format!("{per_second:.0}"),
        format_ms(percentile(&latencies, 50)),
        format_ms(percentile(&latencies, 99)),
        format!("{:.0} µs", millis(p50) * 1_000.0),
        format!("{added:.0} µs"),
    ];
    Ok(ReadMeasurement { per_second, p50, row })
}

/// Returns the median latency of the service itself.
async fn direct_latency(ids: &[StoreId], time: Duration) -> anyhow::Result<Duration> {
    let mut client = services::stores()?;
    let end = Instant::now() + time;
    let mut latencies = Vec::new();
    for id in ids.iter().cycle() {
        let sent = Instant::now();
        if sent >= end {
            break;
        }
        let request = GetStoreRequest {
            store_id: id.to_string(),
            ..Default::default()
        };
        client.get_store(request).await?;
        latencies.push(sent.elapsed());
    }
    latencies.sort_unstable();
    Ok(percentile(&latencies, 50))
}

fn info_of(gateway: &str, ids: &Arc<[StoreId]>) -> anyhow::Result<RepeatedRequest> {
    let base = Url::parse(gateway)?.join("/api/consumer/store/info")?;
    let ids = Arc::clone(ids);
    Ok(RepeatedRequest::get_each(move |number| {
        let mut url = base.clone();
        url.set_query(Some(&format!("storeId={}", ids[number % ids.len()])));
        url
    }))
}

fn transcoded_get_store(envoy: &Envoy, ids: &Arc<[StoreId]>) -> anyhow::Result<Arc<RepeatedRequest>> {
    let url = envoy.address.join(&format!("/{SERVICE}/GetStore"))?;
    let ids = Arc::clone(ids);
    let headers = [
        ("content-type", "application/json".to_owned()),
        (
            "authorization",
            format!("Bearer {}", services::token_for_stores()?),
        ),
    ];
    Ok(Arc::new(RepeatedRequest {
        method: Method::POST,
        headers: headers.into(),
        url: Box::new(move |_| url.clone()),
        body: Box::new(move |number| Bytes::from(format!(r#"{{"storeId":"{}"}}"#, ids[number % ids.len()]))),
    }))
}

/// Serves a body at a new address.
async fn spawn_reference(body: Bytes) -> anyhow::Result<Url> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = Url::parse(&format!("http://{}/", listener.local_addr()?))?;
    let router = Router::new().route("/", get(move || async move { body.clone() }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(url)
}

fn free_address() -> anyhow::Result<String> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?
        .local_addr()?
        .to_string())
}
