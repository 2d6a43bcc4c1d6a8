//! Which processes of a stack call which, over which links, and the settings that follow from it.

use std::{
    collections::HashSet,
    net::{SocketAddr, TcpListener},
    sync::Mutex,
};

use super::{
    link::Link,
    program::Settings,
    servers::Servers,
    stack_config::{PROGRAMS, StackConfig},
};

/// The programs that each program calls, without servers. The provider calls only the load balancer or the gateway.
const CALLEES: [(&str, &[&str]); 5] = [
    (
        "gateway",
        &[
            "accounts",
            "stores",
            "ordering",
            "payments",
            "gift-cards",
            "rewards",
        ],
    ),
    ("accounts", &["ordering"]),
    ("ordering", &["stores", "payments", "gift-cards", "rewards"]),
    ("payments", &["card-sandbox"]),
    ("gift-cards", &["accounts", "payments", "stores"]),
];

/// Servers with the variable of their URL; PostgreSQL has a variable for each service.
const REDIS: (&str, &str) = ("redis", "REDIS_URL");
const BROKER: (&str, &str) = ("rabbitmq", "AMQP_URL");
const POSTGRES: &str = "postgres";

/// A process of a stack and the address that it listens on.
pub struct Process {
    pub name: &'static str,
    pub replica: usize,
    pub listen: SocketAddr,
}

impl Process {
    /// For example `ordering-1`.
    pub fn id(&self) -> String {
        format!("{}-{}", self.name, self.replica)
    }
}

/// Returns the processes of a stack: one sandbox, and replicas of all other programs.
pub fn processes(config: &StackConfig) -> Vec<Process> {
    let replicas = |name| {
        if name == "card-sandbox" {
            1
        } else {
            config.replicas
        }
    };
    let process = |name, replica| Process {
        name,
        replica,
        listen: free_address(),
    };
    PROGRAMS
        .into_iter()
        .flat_map(|name| (0..replicas(name)).map(move |replica| process(name, replica)))
        .collect()
}

/// Returns an address that nothing listens on and that the system does not use for outgoing connections, so that a process can
/// listen on it again after a restart.
pub fn free_address() -> SocketAddr {
    static GIVEN: Mutex<Option<HashSet<u16>>> = Mutex::new(None);
    const PORTS: std::ops::Range<u16> = 12_000..32_000;
    let mut given = GIVEN.lock().unwrap();
    let given = given.get_or_insert_default();
    // Parallel test processes start at different ports.
    let first = u16::try_from(std::process::id() * 97 % u32::try_from(PORTS.len()).unwrap()).unwrap();
    (first..PORTS.end - PORTS.start)
        .chain(0..first)
        .map(|offset| PORTS.start + offset)
        .filter(|port| given.insert(*port))
        .map(|port| SocketAddr::from(([127, 0, 0, 1], port)))
        .find(|address| TcpListener::bind(address).is_ok())
        .expect("a free port")
}

/// The links of one process, and its address settings.
pub struct Connections {
    pub links: Vec<Link>,
    pub settings: Settings,
}

/// Creates the links of a process to all processes and servers that it calls.
pub fn connect(process: &Process, all: &[Process], servers: &Servers, databases: &Settings) -> Connections {
    let mut connections = Connections {
        links: Vec::new(),
        settings: Settings::new(),
    };
    let callees = CALLEES
        .iter()
        .find(|(name, _)| *name == process.name)
        .map_or(&[] as &[_], |(_, callees)| *callees);
    for callee in callees {
        let addresses = all
            .iter()
            .filter(|other| other.name == *callee)
            .map(|other| {
                let address = connections.link(process, &other.id(), other.listen.to_string());
                format!("http://{address}")
            })
            .collect::<Vec<_>>();
        connections
            .settings
            .insert(address_variable(callee), addresses.join(","));
    }
    for (variable, url) in databases {
        if variable.starts_with(&process.name.replace('-', "_").to_uppercase()) {
            connections.link_server(process, POSTGRES, variable, url);
        }
    }
    if process.name == "gateway" {
        connections.link_server(process, REDIS.0, REDIS.1, &servers.redis);
    }
    if process.name != "card-sandbox" {
        connections.link_server(process, BROKER.0, BROKER.1, &servers.broker);
    }
    connections
}

impl Connections {
    fn link(&mut self, from: &Process, to: &str, server: String) -> SocketAddr {
        let link = Link::new(&from.id(), to, server);
        let address = link.address;
        self.links.push(link);
        address
    }

    fn link_server(&mut self, from: &Process, to: &str, variable: &'static str, url: &str) {
        let mut url = url::Url::parse(url).unwrap();
        let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
        let address = self.link(from, to, server);
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(address.port())).unwrap();
        self.settings.insert(variable, url.into());
    }
}

/// Returns the variable with the addresses of a program.
pub fn address_variable(program: &str) -> &'static str {
    match program {
        "accounts" => "ACCOUNTS_ADDRESS",
        "stores" => "STORES_ADDRESS",
        "ordering" => "ORDERING_ADDRESS",
        "payments" => "PAYMENTS_ADDRESS",
        "gift-cards" => "GIFT_CARDS_ADDRESS",
        "rewards" => "REWARDS_ADDRESS",
        "card-sandbox" => "PROVIDER_URL",
        other => panic!("nothing calls {other}"),
    }
}
