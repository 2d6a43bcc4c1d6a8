//! A database whose host disappears without closing its connections, behind a proxy.

use std::{str::FromStr, sync::Arc, time::Duration};

use async_trait::async_trait;
use kit::{
    consumer::{ConsumeError, Delivery, Handler},
    lifecycle::Process,
    outbox::{self, OutboxEntry},
};
use secrecy::{ExposeSecret, SecretString};
use sqlx::{
    ConnectOptions, PgConnection, PgPool, Postgres, pool::PoolConnection, postgres::PgConnectOptions,
};
use testing::{Database, Fault, Log, Proxy};
use tokio::{
    sync::{Semaphore, mpsc},
    time::timeout,
};
use types::{Clock, SystemClock};

use crate::broker::{APPLIED, OTHER, TOPOLOGY, TestBroker};

/// Limit for what a test waits for.
const LIMIT: Duration = Duration::from_mins(1);

struct Outage {
    database: Database,
    proxy: Proxy,
    process: Process,
    pool: PgPool,
}

impl Outage {
    /// Connects through a proxy, with this number of connections and a short timeout.
    async fn new(connections: &str) -> Self {
        Self::with_timeout(connections, "1").await
    }

    async fn with_timeout(connections: &str, timeout_seconds: &str) -> Self {
        let database = Database::create(&[]).await;
        let options = PgConnectOptions::from_str(database.url.expose_secret()).unwrap();
        let proxy = Proxy::start(format!("{}:{}", options.get_host(), options.get_port()));
        let options = options.host("127.0.0.1").port(proxy.address.port());
        let url = SecretString::from(options.to_url_lossy().to_string());
        let mut process = Process::detached("test");
        process.source = process
            .source
            .with("database_connections", connections)
            .with("database_timeout_seconds", timeout_seconds);
        let pool = kit::postgres::connect(&process, &url).await.unwrap();
        // The test of a released connection has no limit.
        wait_until(async || pool.num_idle() == 1).await;
        Self {
            database,
            proxy,
            process,
            pool,
        }
    }

    /// Returns the id of the server process of the next connection.
    async fn server_process(&self) -> i32 {
        let id = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&self.pool);
        timeout(LIMIT, id).await.unwrap().unwrap()
    }

    async fn wait_for_size(&self, connections: u32) {
        wait_until(async || self.pool.size() == connections).await;
    }

    async fn wait_for_failure(&self) {
        timeout(LIMIT, self.process.shutdown.cancelled()).await.unwrap();
        let failure = self.process.failure.get().unwrap();
        assert!(failure.contains("stay dead"), "{failure}");
    }

    async fn clean_up(self) {
        self.process.shutdown.cancel();
        self.database.drop().await;
    }
}

async fn wait_until(mut condition: impl AsyncFnMut() -> bool) {
    let reached = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LIMIT, reached).await.unwrap();
}

/// Starts a statement, and drops it after a moment.
async fn abandon_statement(connection: &mut PgConnection) {
    let statement = sqlx::query("SELECT 1").execute(connection);
    let result = timeout(Duration::from_millis(50), statement).await;
    assert!(result.is_err(), "the database responded");
}

/// Starts a statement that nothing limits.
fn start_statement(mut connection: PoolConnection<Postgres>) {
    tokio::spawn(async move { sqlx::query("SELECT 1").execute(&mut *connection).await });
}

#[tokio::test]
async fn a_connection_without_a_response_is_not_used_again() {
    let outage = Outage::new("1").await;
    let before = outage.server_process().await;
    let mut connection = outage.pool.acquire().await.unwrap();
    outage.proxy.set(Some(Fault::Blackhole));
    abandon_statement(&mut connection).await;
    drop(connection);
    outage.wait_for_size(0).await;
    outage.proxy.set(None);
    assert_ne!(outage.server_process().await, before);
    outage.clean_up().await;
}

#[tokio::test]
async fn a_connection_with_a_late_response_is_used_again() {
    let outage = Outage::with_timeout("1", "30").await;
    let before = outage.server_process().await;
    let mut connection = outage.pool.acquire().await.unwrap();
    outage.proxy.set(Some(Fault::Blackhole));
    abandon_statement(&mut connection).await;
    outage.proxy.set(None);
    drop(connection);
    assert_eq!(outage.server_process().await, before);
    outage.clean_up().await;
}

#[tokio::test]
async fn an_idle_connection_without_a_response_is_replaced_before_its_use() {
    let outage = Outage::new("1").await;
    let before = outage.server_process().await;
    // Connections that were used in the last second are not tested.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    outage.proxy.vanish();
    assert_ne!(outage.server_process().await, before);
    outage.clean_up().await;
}

#[tokio::test]
async fn the_check_of_the_schema_is_repeated_if_the_database_does_not_respond() {
    let outage = Outage::new("1").await;
    outage.proxy.vanish();
    let checked = kit::postgres::require_schema(&outage.process, &outage.pool, &[]);
    timeout(LIMIT, checked).await.unwrap().unwrap();
    outage.clean_up().await;
}

#[tokio::test]
async fn the_process_ends_if_a_connection_stays_dead_after_an_outage() {
    let outage = Outage::new("2").await;
    let worker = outage.pool.acquire().await.unwrap();
    let mut call = outage.pool.acquire().await.unwrap();
    outage.proxy.vanish();
    start_statement(worker);
    abandon_statement(&mut call).await;
    drop(call);
    outage.wait_for_failure().await;
    outage.clean_up().await;
}

#[tokio::test]
async fn the_process_ends_if_all_connections_are_dead() {
    let outage = Outage::new("1").await;
    let worker = outage.pool.acquire().await.unwrap();
    outage.proxy.vanish();
    start_statement(worker);
    outage.wait_for_failure().await;
    outage.clean_up().await;
}

#[tokio::test]
async fn the_process_continues_if_all_connections_are_released_after_an_outage() {
    let log = Log::default();
    let _guard = log.capture();
    let outage = Outage::new("2").await;
    let worker = outage.pool.acquire().await.unwrap();
    let mut call = outage.pool.acquire().await.unwrap();
    outage.proxy.set(Some(Fault::Blackhole));
    abandon_statement(&mut call).await;
    drop(call);
    wait_until(async || log.text().contains("do not respond; will replace them")).await;
    outage.proxy.set(None);
    drop(worker);
    wait_until(async || {
        log.text()
            .contains("all connections to the database are replaced")
    })
    .await;
    assert_eq!(outage.process.failure.get(), None);
    assert!(!outage.process.shutdown.is_cancelled());
    outage.clean_up().await;
}

/// Adds a row for each event. Between two statements it waits for a permit.
struct Effects {
    started: mpsc::UnboundedSender<()>,
    permits: Semaphore,
}

#[async_trait]
impl Handler for Effects {
    async fn handle(&self, event: &Delivery, tx: &mut PgConnection) -> Result<(), ConsumeError> {
        sqlx::query("SELECT FROM effects").execute(&mut *tx).await?;
        self.started.send(()).unwrap();
        self.permits.acquire().await.unwrap().forget();
        sqlx::query("INSERT INTO effects VALUES ($1)")
            .bind(&event.event_type)
            .execute(&mut *tx)
            .await?;
        Ok(())
    }
}

#[tokio::test]
async fn relay_and_consumer_continue_after_an_outage() {
    let log = Log::default();
    let _guard = log.capture();
    let (outage, mut broker) = (Outage::new("10").await, TestBroker::new().await);
    let database = &outage.database;
    sqlx::query("CREATE TABLE effects (event_type text NOT NULL)")
        .execute(&database.pool)
        .await
        .unwrap();
    // Another process than that of the pool, which may end.
    broker.process.source = broker.process.source.with("database_timeout_seconds", "2");
    let (started, mut starts) = mpsc::unbounded_channel();
    let handler = Arc::new(Effects {
        started,
        permits: Semaphore::new(0),
    });
    kit::messaging::start(&broker.process, &outage.pool, TOPOLOGY, Some(handler.clone())).unwrap();
    let append = async |event_type| {
        let event = OutboxEntry::new(event_type, &(), "ord_1".to_owned(), 1, SystemClock.now());
        outbox::append(&mut database.pool.acquire().await.unwrap(), event)
            .await
            .unwrap();
    };
    append(APPLIED).await;
    timeout(LIMIT, starts.recv()).await.unwrap().unwrap();

    // The relay and the handler wait for responses, and new connections, too.
    outage.proxy.set(Some(Fault::Blackhole));
    outage.proxy.vanish();
    handler.permits.add_permits(1_000);
    append(OTHER).await;
    let have_failed = ["event failed; will retry", r#"task="relay""#];
    wait_until(async || have_failed.iter().all(|failure| log.text().contains(failure))).await;
    assert!(log.text().contains("no response from the database within 2s"));
    outage.proxy.set(None);

    wait_until(async || {
        let effects: Vec<String> = sqlx::query_scalar("SELECT event_type FROM effects ORDER BY 1")
            .fetch_all(&database.pool)
            .await
            .unwrap();
        effects == [APPLIED, OTHER] && database.outbox_event_types().await.is_empty()
    })
    .await;
    broker.clean_up().await;
    outage.clean_up().await;
}
