//! P10: order throughput with telemetry on, and without Redis.

use std::{path::PathBuf, process::Command, time::Duration};

use anyhow::ensure;
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderValue, Response},
};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use tokio::net::TcpListener;

use crate::{
    environment::setting,
    orders::{CONCURRENCY, Orders},
    report::{Section, TargetResult, format_ms},
    system::System,
};

const WARM_UP: Duration = Duration::from_secs(4);

/// Measures restarted systems, with the same consumers.
pub async fn measure(system: &mut System, orders: &Orders, time: Duration) -> anyhow::Result<Section> {
    let mut rows = Vec::new();
    let mut measure = async |name: &str| {
        eprintln!("  {name}");
        orders.closed_loop(CONCURRENCY, WARM_UP).await;
        let measured = orders.closed_loop(CONCURRENCY, time).await;
        let failed: usize = measured.failed.values().sum();
        rows.push(vec![
            name.to_owned(),
            format!("{:.0}", measured.per_second()),
            format_ms(measured.percentile(99)),
            failed.to_string(),
        ]);
        ensure!(failed == 0, "orders failed, {name}: {:?}", measured.failed);
        anyhow::Ok(measured.per_second())
    };
    let collector = spawn_collector().await?;
    let telemetry = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.as_str())];
    system.restart(&[]).await?;
    let plain = measure("plain").await?;
    system.restart(&telemetry).await?;
    let traced = measure("with traces and metrics").await?;
    system.restart(&[]).await?;
    let plain_again = measure("plain, again").await?;
    control_redis("stop")?;
    let without_redis = measure("without Redis").await;
    control_redis("start")?;
    let without_redis = without_redis?;
    // The machine's speed changes with time, so each is compared with the nearest plain measurements.
    let mean = f64::midpoint(plain, plain_again);
    let targets = vec![
        TargetResult::at_least(
            "throughput with traces and metrics",
            traced / mean * 100.0,
            95.0,
            " percent",
        ),
        TargetResult::at_least(
            "throughput without Redis",
            without_redis / plain_again * 100.0,
            70.0,
            " percent",
        ),
    ];
    Ok(Section {
        id: "p10",
        columns: &["", "orders per second", "p99", "failed"],
        rows,
        targets,
    })
}

/// Stops or starts Redis.
fn control_redis(action: &str) -> anyhow::Result<()> {
    let script = PathBuf::from(setting("BACKING_SERVICES")?);
    let status = Command::new(script)
        .args([action, &setting("STACK")?, "redis"])
        .status()?;
    ensure!(status.success(), "cannot {action} Redis");
    Ok(())
}

/// Starts an OTLP collector that accepts everything and stores nothing. Returns its address.
async fn spawn_collector() -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let router = Router::new().fallback(accept_export);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// Answers any gRPC call with an empty message.
async fn accept_export(body: Body) -> Response<Body> {
    /// Not compressed, zero bytes long.
    const EMPTY_MESSAGE: &[u8] = &[0; 5];
    let _ = body.collect().await;
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    let message = Full::new(Bytes::from_static(EMPTY_MESSAGE)).with_trailers(async { Some(Ok(trailers)) });
    let mut response = Response::new(Body::new(message));
    response
        .headers_mut()
        .insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}
