//! A running system: real programs with their own ports, databases, queues and files.

use std::{
    ops::Deref,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient},
};
use sqlx::{Connection, PgConnection};
use testing::Fault;
use tokio::sync::{Mutex, MutexGuard, OnceCell};
use types::StoreId;

use super::{
    cleanup,
    link::Link,
    load_balancer,
    program::{self, Program, Settings},
    programs,
    running::{self, RunningSystem},
    sandbox::Sandbox,
    seeds,
    servers::Servers,
    settings,
    stack_config::StackConfig,
    topology,
};

pub struct Stack {
    programs: Vec<Program>,
    links: Vec<Link>,
    databases: Settings,
    origin: String,
    folder: PathBuf,
    stores: Vec<StoreId>,
    stores_taken: AtomicUsize,
}

impl Stack {
    /// Describes a running system. Its programs are neither started nor stopped.
    async fn of_running(system: RunningSystem) -> Self {
        Self {
            stores: own_stores(&system.databases, &system.store_prefix).await,
            programs: system.programs,
            links: Vec::new(),
            databases: system.databases,
            origin: system.origin,
            folder: system.folder,
            stores_taken: AtomicUsize::new(0),
        }
    }
}

/// A stack that one test uses at a time.
struct Slot {
    stack: OnceCell<Stack>,
    in_use: Mutex<()>,
}

impl Slot {
    const fn new() -> Self {
        Self {
            stack: OnceCell::const_new(),
            in_use: Mutex::const_new(()),
        }
    }
}

static SHARED: OnceCell<Stack> = OnceCell::const_new();
/// Two, because tests with faults mostly wait: for a restart, a lease or a retry.
static EXCLUSIVE: [Slot; 2] = [const { Slot::new() }; 2];
static REPLICATED: Slot = Slot::new();

/// Lease of the sagas of an ordering process that a test kills or separates from other services, so that recovery happens during
/// the test. Other tests have the default lease, because an order without a fault may take longer than this on a slow machine.
const SHORT_SAGA_LEASE: (&str, &str) = ("ORDER_SAGA_SECONDS", "3");

/// Returns the stack for tests without fault injection, which share it concurrently.
pub async fn shared_stack() -> &'static Stack {
    SHARED
        .get_or_init(async || {
            if let Some(origin) = settings::running_origin() {
                return Stack::of_running(running::connect(origin).await).await;
            }
            let config = StackConfig {
                name: "shared",
                replicas: 1,
                settings: &[],
            };
            Stack::start_on_shared_servers(&config, 2).await
        })
        .await
}

/// Returns a stack for exclusive use with fault injection. It is restored before the next use.
pub async fn exclusive_stack() -> ExclusiveStack {
    running::reject_fault_injection();
    let (number, guard) = tokio::select! {
        guard = EXCLUSIVE[0].in_use.lock() => (0, guard),
        guard = EXCLUSIVE[1].in_use.lock() => (1, guard),
    };
    let stack = EXCLUSIVE[number]
        .stack
        .get_or_init(async || {
            let config = StackConfig {
                name: "exclusive",
                replicas: 1,
                settings: &[],
            };
            Stack::start_on_shared_servers(&config, if number == 0 { 3 } else { 4 }).await
        })
        .await;
    stack.restore().await;
    ExclusiveStack { stack, _guard: guard }
}

/// Returns an exclusive stack in which recovery soon closes orders that are not placed because of a fault.
pub async fn exclusive_stack_with_short_saga_lease() -> ExclusiveStack {
    let stack = exclusive_stack().await;
    stack.restart("ordering", &[SHORT_SAGA_LEASE]).await;
    stack
}

/// Returns a stack for exclusive use that has two processes of each program, and its own servers, which a test may kill.
pub async fn replicated_stack() -> ExclusiveStack {
    running::reject_fault_injection();
    let guard = REPLICATED.in_use.lock().await;
    let stack = REPLICATED
        .stack
        .get_or_init(async || {
            let config = StackConfig {
                name: "replicated",
                replicas: 2,
                settings: &[("SHUTDOWN_DELAY_SECONDS", "1")],
            };
            Stack::start_on_private_servers(&config).await
        })
        .await;
    stack.restore().await;
    ExclusiveStack { stack, _guard: guard }
}

/// Exclusive use of a stack until dropped.
pub struct ExclusiveStack {
    pub stack: &'static Stack,
    _guard: MutexGuard<'static, ()>,
}

impl Deref for ExclusiveStack {
    type Target = &'static Stack;

    fn deref(&self) -> &&'static Stack {
        &self.stack
    }
}

impl Stack {
    async fn start_on_shared_servers(config: &StackConfig, redis_number: u32) -> Self {
        let prefix = testing::unique_name();
        cleanup::register("prefix", &prefix);
        let servers = Servers::shared(redis_number);
        let databases = seeds::copy_databases(&servers, &prefix).await;
        Self::start(config, &prefix, &servers, databases).await
    }

    /// Starts a stack with its own servers, which a test may kill. A test process has one such stack.
    async fn start_on_private_servers(config: &StackConfig) -> Self {
        let servers = tokio::task::spawn_blocking(Servers::private).await.unwrap();
        let prefix = testing::unique_name();
        let databases = seeds::create_private_databases(&servers, &prefix).await;
        Self::start(config, &prefix, &servers, databases).await
    }

    async fn start(config: &StackConfig, prefix: &str, servers: &Servers, databases: Settings) -> Self {
        let folder = folder(config.name, prefix);
        let processes = topology::processes(config);
        let gateways: Vec<_> = processes
            .iter()
            .filter(|process| process.name == "gateway")
            .map(|gateway| gateway.listen)
            .collect();
        let entry = match gateways[..] {
            [gateway] => gateway,
            _ => load_balancer::start(&gateways),
        };
        let origin = format!("http://{entry}");
        let mut settings = settings::common_settings();
        settings.extend(stack_settings(prefix, &origin, &folder));
        settings.extend(
            config
                .settings
                .iter()
                .map(|&(name, value)| (name, value.to_owned())),
        );
        let (mut programs, mut links) = (Vec::new(), Vec::new());
        for process in &processes {
            let connections = topology::connect(process, &processes, servers, &databases);
            let mut settings = settings.clone();
            settings.extend(connections.settings);
            if process.name == "gateway" {
                let provider = processes.iter().find(|other| other.name == "card-sandbox");
                let provider = provider.unwrap().listen;
                settings.insert("PROVIDER_SCRIPT_URL", format!("http://{provider}/v1/js/"));
            }
            let log = folder.join(match process.replica {
                0 => format!("{}.log", process.name),
                replica => format!("{}-{replica}.log", process.name),
            });
            programs.push(Program::new(
                process.name,
                process.replica,
                process.listen,
                settings,
                log,
            ));
            links.extend(connections.links);
        }
        let stores = own_stores(&databases, seeds::NUMBER_PREFIX).await;
        let stack = Self {
            programs,
            links,
            databases,
            origin,
            folder,
            stores,
            stores_taken: AtomicUsize::new(0),
        };
        for program in &stack.programs {
            program.start(&[]);
        }
        for program in &stack.programs {
            program.wait_until_ready().await;
        }
        stack
    }

    /// Starts the first processes of programs in the given order and waits until all listen.
    pub async fn start_all(&self, order: impl Iterator<Item = &'static str>) {
        for name in order {
            self.program(name).start(&[]);
        }
        for program in &self.programs {
            program.wait_until_listening().await;
        }
    }

    async fn restore(&self) {
        for link in &self.links {
            link.set(None);
        }
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

    /// All processes.
    pub fn processes(&self) -> &[Program] {
        &self.programs
    }

    /// Returns settings with which the services are called without proxies. A proxy accepts connections to a stopped process
    /// and then closes them, so that its client cannot know whether the process received the call.
    pub fn settings_without_proxies(&self) -> Vec<(&'static str, String)> {
        programs()
            .filter(|name| *name != "gateway")
            .map(|name| {
                let replicas = self.programs.iter().filter(|program| program.name == name);
                let addresses: Vec<_> = replicas
                    .map(|replica| format!("http://{}", replica.listen))
                    .collect();
                (topology::address_variable(name), addresses.join(","))
            })
            .collect()
    }

    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Sets the fault of all links to a program or server.
    pub fn set_fault_to(&self, callee: &str, fault: Option<Fault>) {
        for link in self.links.iter().filter(|link| link.is_to(callee)) {
            link.set(fault);
        }
    }

    /// Returns the first process of a program.
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

    /// Kills all processes of a program, starts them again with additional settings, and waits until they are ready.
    pub async fn restart_replicas(&self, name: &str, more: &[(&'static str, &str)]) {
        for process in self.programs.iter().filter(|process| process.name == name) {
            process.kill();
            process.start(more);
            process.wait_until_ready().await;
        }
    }

    /// Restarts a program so that it is killed at a fault point once [`Stack::arm`] is called.
    pub async fn set_fault_point(&self, name: &str, fault_point: &str) {
        self.disarm();
        self.restart(name, &[("FAULT_POINT", fault_point)]).await;
    }

    /// Restarts ordering so that it is killed at a fault point of its saga once [`Stack::arm`] is called. Recovery follows soon.
    pub async fn set_fault_point_of_saga(&self, fault_point: &str) {
        self.disarm();
        let settings = [("FAULT_POINT", fault_point), SHORT_SAGA_LEASE];
        self.restart("ordering", &settings).await;
    }

    /// Starts ordering, which was killed, so that it is killed again at a fault point of its recovery. The fault point is armed before
    /// the start and the start is not awaited, because recovery may reach the fault point before ordering listens.
    pub fn start_recovery_until(&self, fault_point: &str) {
        self.arm();
        let settings = [("FAULT_POINT", fault_point), SHORT_SAGA_LEASE];
        self.program("ordering").start(&settings);
    }

    pub fn arm(&self) {
        std::fs::write(self.folder.join("fault"), "").unwrap();
    }

    fn disarm(&self) {
        let _unarmed = std::fs::remove_file(self.folder.join("fault"));
    }

    /// Public origin of the gateway or the load balancer.
    pub fn origin(&self) -> String {
        self.origin.clone()
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

    /// Connects to the databases of all services.
    pub async fn databases(&self) -> Vec<(&'static str, PgConnection)> {
        let mut databases = Vec::new();
        for (service, ..) in seeds::SERVICES {
            databases.push((service, self.database(service).await));
        }
        databases
    }

    /// URLs of the databases by variable.
    pub const fn database_urls(&self) -> &Settings {
        &self.databases
    }

    /// Creates a command of an operator with the databases of this stack.
    pub fn operator_command(&self, name: &str) -> Command {
        let mut command = program::command(name, &self.databases);
        command.env("WEBHOOKS_SECRET", settings::WEBHOOKS_SECRET.as_str());
        command
    }

    /// Returns a gRPC channel to a service, authenticated as another service.
    pub fn service(&self, name: &'static str, called_by: &str) -> ClientChannel {
        let key = CallerKey::new(&settings::CALLER_SECRET.as_str().into()).unwrap();
        let address = format!("http://{}", self.program(name).listen);
        GrpcClient::new(Caller::from_service(called_by), name, &address, key)
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
    // Programs reject paths with `..`.
    let folder = folder.canonicalize().unwrap();
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

fn stack_settings(prefix: &str, origin: &str, folder: &Path) -> Settings {
    let file = |name| folder.join(name).display().to_string();
    Settings::from([
        ("BROKER_PREFIX", prefix.to_owned()),
        ("PUBLIC_ORIGIN", origin.to_owned()),
        ("PROVIDER_WEBHOOK_URL", format!("{origin}/webhooks/payments")),
        // The provider keeps its state when it is killed.
        ("CARD_SANDBOX_DATA", file("card-sandbox")),
        ("SMS_FILE", file("sms.jsonl")),
        ("GIFT_MESSAGE_FILE", file("gift-cards.jsonl")),
        ("PHOTO_FOLDER", file("photos")),
        ("WEB_DIST", file("no-web-app")),
        // Creating the file arms the fault point (see `kit::fault_point`).
        ("FAULT_FILE", file("fault")),
    ])
}

/// Returns the imported stores, which belong to one company and share its menu.
async fn own_stores(databases: &Settings, prefix: &str) -> Vec<StoreId> {
    let mut stores = PgConnection::connect(&databases["STORES_DATABASE_URL"])
        .await
        .unwrap();
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar(
        "SELECT store_id FROM stores WHERE store_number LIKE $1 || '-%' ORDER BY store_number",
    )
    .bind(prefix)
    .fetch_all(&mut stores)
    .await
    .unwrap();
    ids.into_iter().map(StoreId::from_uuid).collect()
}
