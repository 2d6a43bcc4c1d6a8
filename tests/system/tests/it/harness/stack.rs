//! The whole system: real programs on ports, databases, queues and files of their own.

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
    consumer::Consumer,
    keeper,
    program::{Program, Settings},
    proxy::Proxy,
    sandbox::Sandbox,
    seeds, servers, settings,
    store::Store,
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

/// A running system.
pub struct Stack {
    programs: Vec<Program>,
    databases: Settings,
    /// Between the services and the broker.
    pub wire: Proxy,
    folder: PathBuf,
    stores: Vec<StoreId>,
    stores_taken: AtomicUsize,
}

static SHARED: OnceCell<Stack> = OnceCell::const_new();
static OWN: OnceCell<Stack> = OnceCell::const_new();
static OWNER: Mutex<()> = Mutex::const_new(());

/// The stack for tests that break nothing. They all use it at once.
pub async fn shared() -> &'static Stack {
    SHARED
        .get_or_init(async || Stack::start("shared", 2, &[]).await)
        .await
}

/// A stack that a test has for itself and may break as it likes; whole again for the next one.
pub async fn own() -> Own {
    let guard = OWNER.lock().await;
    let stack = OWN
        .get_or_init(async || Stack::start("own", 3, &[("ORDER_SAGA_SECONDS", "3")]).await)
        .await;
    stack.heal().await;
    Own { stack, _guard: guard }
}

/// A stack of one's own, while this lives.
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
        keeper::tell("prefix", &prefix);
        let databases = seeds::plant(&prefix).await;
        let broker = url::Url::parse(&servers::broker()).unwrap();
        let server = format!("{}:{}", broker.host_str().unwrap(), broker.port().unwrap_or(5672));
        let wire = Proxy::to(server).await;
        let listen = addresses();
        let mut settings = settings::of_everybody();
        settings.extend(databases.clone());
        settings.extend(between(&listen));
        settings.extend([
            ("AMQP_URL", through(broker, wire.address)),
            ("BROKER_PREFIX", prefix),
            ("REDIS_URL", servers::redis(redis)),
            ("SMS_FILE", folder.join("sms.jsonl").display().to_string()),
            ("WEB_DIST", folder.join("no-web-app").display().to_string()),
            // Armed by making the file (see `kit::fault_point`).
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
            wire,
            folder,
            stores,
            stores_taken: AtomicUsize::new(0),
        };
        stack.start_all(PROGRAMS.into_iter()).await;
        stack
    }

    /// Starts programs in some order, then waits until all are there.
    pub async fn start_all(&self, order: impl Iterator<Item = &'static str>) {
        for name in order {
            self.program(name).start(&[]);
        }
        for program in &self.programs {
            program.is_up().await;
        }
    }

    async fn heal(&self) {
        self.wire.mend();
        self.disarm();
        for program in self.programs.iter().filter(|program| program.is_altered()) {
            program.kill();
            program.start(&[]);
        }
        for program in &self.programs {
            program.is_up().await;
        }
        self.sandbox().heals().await;
    }

    pub fn program(&self, name: &str) -> &Program {
        self.programs.iter().find(|program| program.name == name).unwrap()
    }

    /// Kills a program and starts it again with other settings than usual.
    pub async fn restart(&self, name: &str, more: &[(&'static str, &str)]) {
        let program = self.program(name);
        program.kill();
        program.start(more);
        program.is_up().await;
    }

    /// Starts a program so that it dies at a place in its code, once [`Stack::arm`] says so.
    pub async fn set_trap(&self, name: &str, place: &str) {
        self.disarm();
        self.restart(name, &[("FAULT_POINT", place)]).await;
    }

    pub fn arm(&self) {
        std::fs::write(self.folder.join("fault"), "").unwrap();
    }

    fn disarm(&self) {
        let _unarmed = std::fs::remove_file(self.folder.join("fault"));
    }

    /// Where browsers find it.
    pub fn origin(&self) -> String {
        format!("http://{}", self.program("gateway").listen)
    }

    /// What the development sender has written.
    pub fn messages(&self) -> String {
        std::fs::read_to_string(self.folder.join("sms.jsonl")).unwrap_or_default()
    }

    /// A service's database, to look at what the system says nothing about.
    pub async fn database(&self, service: &str) -> PgConnection {
        let (_, _, variable) = seeds::SERVICES
            .iter()
            .find(|(name, ..)| *name == service)
            .unwrap();
        PgConnection::connect(&self.databases[variable]).await.unwrap()
    }

    /// A service's gRPC, as another service of ours calls it.
    pub fn service(&self, name: &str, called_by: &str) -> ClientChannel {
        let key = CallerKey::new(&settings::CALLER_SECRET.into()).unwrap();
        let address = format!("http://{}", self.program(name).listen);
        GrpcClient::new(Caller::from_service(called_by), &address, key).unwrap().as_service()
    }

    pub fn sandbox(&self) -> Sandbox {
        Sandbox::new(format!("http://{}", self.program("card-sandbox").listen))
    }

    /// A new consumer, signed in.
    pub async fn consumer(&'static self) -> Consumer {
        Consumer::signs_in(self).await
    }

    /// A store that is always open and that no other test orders from.
    pub fn store(&'static self) -> Store {
        let taken = self.stores_taken.fetch_add(1, Relaxed);
        Store::new(self, *self.stores.get(taken).expect("more stores: see seeds.rs"))
    }
}

/// Logs and messages of a stack, apart from those of other runs; old ones go.
fn folder(name: &str, prefix: &str) -> PathBuf {
    const OLD: Duration = Duration::from_secs(3600);
    let logs = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/system-logs"));
    let folder = logs.join(format!("{name}-{prefix}"));
    std::fs::create_dir_all(&folder).unwrap();
    for entry in std::fs::read_dir(&logs).unwrap().filter_map(Result::ok) {
        let age = entry
            .metadata()
            .and_then(|about| about.modified())
            .ok()
            .and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > OLD) {
            let _in_use = std::fs::remove_dir_all(entry.path());
        }
    }
    folder
}

/// A free port for each program, in their order.
fn addresses() -> Vec<SocketAddr> {
    // All are held until all are known, so that no two are the same.
    let held: Vec<_> = PROGRAMS
        .iter()
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    held.iter()
        .map(|listener| listener.local_addr().unwrap())
        .collect()
}

/// Where everybody finds everybody.
fn between(listen: &[SocketAddr]) -> Settings {
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

fn through(mut broker: url::Url, proxy: SocketAddr) -> String {
    broker.set_host(Some("127.0.0.1")).unwrap();
    broker.set_port(Some(proxy.port())).unwrap();
    broker.into()
}

/// The stores of `seeds.rs` that belong to the same company as the seed's first: one menu for all tests.
async fn own_stores(databases: &Settings) -> Vec<StoreId> {
    let mut stores = PgConnection::connect(&databases["STORES_DATABASE_URL"])
        .await
        .unwrap();
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar(
        "SELECT store_id FROM stores WHERE store_number LIKE 'test-%'
         AND company_id = (SELECT company_id FROM stores WHERE store_number = 'seed-01') ORDER BY store_number",
    )
    .fetch_all(&mut stores)
    .await
    .unwrap();
    ids.into_iter().map(StoreId::from_uuid).collect()
}
