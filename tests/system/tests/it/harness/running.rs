//! A system that runs already, for example in containers: `SYSTEM_TESTS_ORIGIN` names its gateway, and the variables of its
//! programs (`*_ADDRESS`, `*_DATABASE_URL`, `CALLER_SECRET`, `SMS_FILE`, …) are set as they are for the programs.

use std::{net::SocketAddr, path::PathBuf};

use url::Url;

use super::{
    program::{Program, Settings},
    seeds, settings,
    stack_config::PROGRAMS,
    topology,
};

pub struct RunningSystem {
    pub origin: String,
    pub programs: Vec<Program>,
    pub databases: Settings,
    pub folder: PathBuf,
    /// Prefix of the stores of this run.
    pub store_prefix: String,
}

/// Adds stores that no other run uses.
pub async fn connect(origin: String) -> RunningSystem {
    let databases: Settings = seeds::SERVICES
        .iter()
        .map(|&(_, _, variable)| (variable, require(variable)))
        .collect();
    let (run, mut settings) = (testing::unique_name(), databases.clone());
    settings.insert("WEBHOOKS_SECRET", settings::WEBHOOKS_SECRET.clone());
    let prefix = run.clone();
    tokio::task::spawn_blocking(move || seeds::import_stores(&prefix, &prefix, &settings))
        .await
        .unwrap();
    let mut programs = Vec::new();
    for name in PROGRAMS {
        let address = match name {
            "gateway" => origin.clone(),
            _ => require(topology::address_variable(name)),
        };
        let listen = resolve(&address).await;
        programs.push(Program::new(name, 0, listen, Settings::new(), PathBuf::new()));
    }
    kit::tls::install_provider();
    let messages = PathBuf::from(require("SMS_FILE"));
    assert!(
        messages.ends_with("sms.jsonl"),
        "SMS_FILE: expected a file sms.jsonl"
    );
    let folder = messages.parent().unwrap().to_owned();
    RunningSystem {
        origin,
        programs,
        databases,
        folder,
        store_prefix: run,
    }
}

pub fn reject_fault_injection() {
    assert!(
        settings::running_origin().is_none(),
        "this test stops programs: run it without SYSTEM_TESTS_ORIGIN"
    );
}

fn require(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set"))
}

/// Returns an address of the first host in a list of URLs.
async fn resolve(addresses: &str) -> SocketAddr {
    let url = Url::parse(addresses.split(',').next().unwrap()).unwrap();
    let port = url.port_or_known_default().unwrap();
    let mut found = tokio::net::lookup_host((url.host_str().unwrap(), port))
        .await
        .unwrap();
    found.next().unwrap()
}
