//! A running system: real programs with their own ports, databases, queues and files.

use std::{
    net::{SocketAddr, TcpListener},
    ops::Deref,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient},
};
use sqlx::{Connection, PgConnection};
use tokio::sync::{Mutex, MutexGuard, OnceCell};
use types::StoreId;

use super::{
    cleanup,
    program::{Program, Settings},
    proxy::Proxy,
    sandbox::Sandbox,
    seeds, servers, settings,
};

/// In the order of the Procfile.
pub const PROGRAMS: [&str; 8] = [
    "accounts",
    "stores",
    "ordering",
    "payments",
    "gift-cards",
    "rewards",
    "gateway",
    "card-sandbox",
];

pub struct Stack {
    programs: Vec<Program>,
    databases: Settings,
    /// Proxy between the services and the broker.
    pub broker_proxy: Proxy,
    folder: PathBuf,
    stores: Vec<StoreId>,
    stores_taken: AtomicUsize,
}

static SHARED: OnceCell<Stack> = OnceCell::const_new();
static OWN: OnceCell<Stack> = OnceCell::const_new();
static OWNER: Mutex<()> = Mutex::const_new(());

/// Returns the stack for tests without fault injection, which share it concurrently.
pub async fn shared() -> &'static Stack {
    SHARED
        .get_or_init(async || Stack::start("shared", 2, &[]).await)
        .await
}

/// Returns a stack for exclusive use with fault injection. It is restored before the next use.
pub async fn own() -> Own {
    let guard = OWNER.lock().await;
    let stack = OWN
        .get_or_init(async || Stack::start("own", 3, &[("ORDER_SAGA_SECONDS", "3")]).await)
        .await;
    stack.restore().await;
    Own { stack, _guard: guard }
}

/// Exclusive use of a stack until dropped.
pub struct Own {
    pub stack: &'static Stack,
    _guard: MutexGuard<'static, ()>,
}

impl Deref for Own {
    type Target = &'static Stack;

    fn deref(&self) -> &&'static Stack {
        &self.stack
    }
}

impl Stack {
    async fn start(name: &str, redis: u32, more: &[(&'static str, &str)]) -> Self {
        let prefix = testing::unique_name();
        let folder = folder(name, &prefix);
        cleanup::register("prefix", &prefix);
        let databases = seeds::copy_databases(&prefix).await;
        let broker = url::Url::parse(&servers::broker()).unwrap();
        let server = format!("{}:{}", broker.host_str().unwrap(), broker.port().unwrap_or(5672));
        let broker_proxy = Proxy::to(server);
        let listen = addresses();
        let mut settings = settings::common_settings();
        settings.extend(databases.clone());
        settings.extend(address_settings(&listen));
        settings.extend([
            ("AMQP_URL", via_proxy(broker, broker_proxy.address)),
            ("BROKER_PREFIX", prefix),
            ("REDIS_URL", servers::redis(redis)),
            ("SMS_FILE", folder.join("sms.jsonl").display().to_string()),
            ("WEB_DIST", folder.join("no-web-app").display().to_string()),
            // Creating the file arms the fault point (see `kit::fault_point`).
            ("FAULT_FILE", folder.join("fault").display().to_string()),
        ]);
        settings.extend(more.iter().map(|&(name, value)| (name, value.to_owned())));
        let programs = PROGRAMS.iter().zip(listen).map(|(&name, listen)| {
            Program::new(name, listen, settings.clone(), folder.join(format!("{name}.log")))
        });
        let programs: Vec<_> = programs.collect();
        let stores = own_stores(&databases).await;
        let stack = Self {
            programs,
            databases,
            broker_proxy,
            folder,
            stores,
            stores_taken: AtomicUsize::new(0),
        };
        stack.start_all(PROGRAMS.into_iter()).await;
        stack
    }

    /// Starts programs in the given order and waits until all listen.
    pub async fn start_all(&self, order: impl Iterator<Item = &'static str>) {
        for name in order {
            self.program(name).start(&[]);
        }
        for program in &self.programs {
            program.wait_until_listening().await;
        }
    }

    async fn restore(&self) {
        self.broker_proxy.restore();
        self.disarm();
        for program in self.programs.iter().filter(|program| program.needs_restart()) {
            program.kill();
            program.start(&[]);
        }
        for program in &self.programs {
            program.wait_until_listening().await;
        }
        self.sandbox().reset().await;
    }

    pub fn program(&self, name: &str) -> &Program {
        self.programs.iter().find(|program| program.name == name).unwrap()
    }

    /// Kills a program and starts it again with additional settings.
    pub async fn restart(&self, name: &str, more: &[(&'static str, &str)]) {
        let program = self.program(name);
        program.kill();
        program.start(more);
        program.wait_until_listening().await;
    }

    /// Restarts a program so that it is killed at a fault point once [`Stack::arm`] is called.
    pub async fn set_fault_point(&self, name: &str, fault_point: &str) {
        self.disarm();
        self.restart(name, &[("FAULT_POINT", fault_point)]).await;
    }

    pub fn arm(&self) {
        std::fs::write(self.folder.join("fault"), "").unwrap();
    }

    fn disarm(&self) {
        let _unarmed = std::fs::remove_file(self.folder.join("fault"));
    }

    /// Public origin of the gateway.
    pub fn origin(&self) -> String {
        format!("http://{}", self.program("gateway").listen)
    }

    /// Messages written by the development sender.
    pub fn messages(&self) -> String {
        std::fs::read_to_string(self.folder.join("sms.jsonl")).unwrap_or_default()
    }

    /// Connects to a service's database, to check state that the API does not show.
    pub async fn database(&self, service: &str) -> PgConnection {
        let (_, _, variable) = seeds::SERVICES
            .iter()
            .find(|(name, ..)| *name == service)
            .unwrap();
        PgConnection::connect(&self.databases[variable]).await.unwrap()
    }

    /// Returns a gRPC channel to a service, authenticated as another service.
    pub fn service(&self, name: &str, called_by: &str) -> ClientChannel {
        let key = CallerKey::new(&settings::CALLER_SECRET.into()).unwrap();
        let address = format!("http://{}", self.program(name).listen);
        GrpcClient::new(Caller::from_service(called_by), &address, key)
            .unwrap()
            .as_service()
    }

    pub fn sandbox(&self) -> Sandbox {
        Sandbox::new(format!("http://{}", self.program("card-sandbox").listen))
    }

    /// Returns the id of a store that no other test uses.
    pub fn next_store_id(&self) -> StoreId {
        let taken = self.stores_taken.fetch_add(1, Relaxed);
        *self.stores.get(taken).expect("too few stores: see seeds.rs")
    }
}

/// Creates the folder for logs and messages of a stack and deletes folders of old runs.
fn folder(name: &str, prefix: &str) -> PathBuf {
    const MAX_AGE: Duration = Duration::from_hours(1);
    let logs = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/system-logs"));
    let folder = logs.join(format!("{name}-{prefix}"));
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(&logs).unwrap().filter_map(Result::ok) {
        let age = entry
            .metadata()
            .and_then(|about| about.modified())
            .ok()
            .and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > MAX_AGE) {
            let _in_use = std::fs::remove_dir_all(entry.path());
        }
    }
    folder
}

/// Returns a free port for each program.
fn addresses() -> Vec<SocketAddr> {
    // All listeners stay open until all ports are known, so that the ports differ.
    let held: Vec<_> = PROGRAMS
        .iter()
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    held.iter()
        .map(|listener| listener.local_addr().unwrap())
        .collect()
}

/// Returns the address settings of all programs.
fn address_settings(listen: &[SocketAddr]) -> Settings {
    const NAMES: [&str; 8] = [
        "ACCOUNTS_ADDRESS",
        "STORES_ADDRESS",
        "ORDERING_ADDRESS",
        "PAYMENTS_ADDRESS",
        "GIFT_CARDS_ADDRESS",
        "REWARDS_ADDRESS",
        "PUBLIC_ORIGIN",
        "PROVIDER_URL",
    ];
    let mut settings: Settings = NAMES
        .into_iter()
        .zip(listen.iter().map(|listen| format!("http://{listen}")))
        .collect();
    settings.insert(
        "PROVIDER_WEBHOOK_URL",
        format!("{}/webhooks/payments", settings["PUBLIC_ORIGIN"]),
    );
    settings.insert(
        "PROVIDER_SCRIPT_URL",
        format!("{}/v1/js/", settings["PROVIDER_URL"]),
    );
    settings
}

fn via_proxy(mut broker: url::Url, proxy: SocketAddr) -> String {
    broker.set_host(Some("127.0.0.1")).unwrap();
    broker.set_port(Some(proxy.port())).unwrap();
    broker.into()
}

/// Returns the imported stores, which belong to one company and share its menu.
async fn own_stores(databases: &Settings) -> Vec<StoreId> {
    let mut stores = PgConnection::connect(&databases["STORES_DATABASE_URL"])
        .await
        .unwrap();
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar(
        "SELECT store_id FROM stores WHERE store_number LIKE 'test-%' ORDER BY store_number",
    )
    .fetch_all(&mut stores)
    .await
    .unwrap();
    ids.into_iter().map(StoreId::from_uuid).collect()
}
