//! Migrated and seeded databases, created once per run and copied for each stack. They contain many stores that are always open,
//! one for each test, so that tests do not compete for capacity.

use std::fmt::Write;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::sync::OnceCell;

use super::{
    cleanup,
    program::{Settings, command},
    servers, settings,
};

/// The services with their databases and settings.
pub const SERVICES: [(&str, &str, &str); 6] = [
    ("accounts", "accounts", "ACCOUNTS_DATABASE_URL"),
    ("stores", "stores", "STORES_DATABASE_URL"),
    ("ordering", "ordering", "ORDERING_DATABASE_URL"),
    ("payments", "payments", "PAYMENTS_DATABASE_URL"),
    ("gift-cards", "gift_cards", "GIFT_CARDS_DATABASE_URL"),
    ("rewards", "rewards", "REWARDS_DATABASE_URL"),
];

const STORES: usize = 100;
/// The company of the seed whose menu all tests use.
const COMPANY: &str = "Juniper Lane Coffee";

static SEED: OnceCell<String> = OnceCell::const_new();

/// Copies the databases for a stack, with names that start with `prefix`. Returns their URLs by variable.
pub async fn copy_databases(prefix: &str) -> Settings {
    let seed = SEED.get_or_init(seed).await;
    let mut addresses = Settings::new();
    let mut server = PgConnection::connect(&servers::postgres()).await.unwrap();
    for (_, database, variable) in SERVICES {
        let name = format!("{prefix}_{database}");
        create(&mut server, &name, &format!(" TEMPLATE {seed}_{database}")).await;
        addresses.insert(variable, servers::database(&name));
    }
    addresses
}

async fn create(server: &mut PgConnection, name: &str, more: &str) {
    cleanup::register("database", name);
    let statement = format!("CREATE DATABASE {name}{more}");
    sqlx::query(AssertSqlSafe(statement))
        .execute(server)
        .await
        .unwrap();
}

async fn seed() -> String {
    let prefix = testing::unique_name();
    let mut server = PgConnection::connect(&servers::postgres()).await.unwrap();
    for (program, database, variable) in SERVICES {
        let name = format!("{prefix}_{database}");
        create(&mut server, &name, "").await;
        let mut settings = settings::common_settings();
        settings.insert(variable, servers::database(&name));
        run(program, &settings, &["migrate"]);
        run(program, &settings, &["seed"]);
        if program == "stores" {
            let file = std::env::temp_dir().join(format!("{prefix}.csv"));
            std::fs::write(&file, stores()).unwrap();
            run(
                program,
                &settings,
                &[
                    "import",
                    file.to_str().unwrap(),
                    "--hours",
                    "00:00-24:00",
                    "--company",
                    COMPANY,
                ],
            );
            std::fs::remove_file(file).unwrap();
        }
    }
    prefix
}

fn run(program: &str, settings: &Settings, arguments: &[&str]) {
    let output = command(program, settings).args(arguments).output().unwrap();
    let output_text = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output_text)
    );
}

fn stores() -> String {
    let mut file =
        "store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude\n"
            .to_owned();
    for number in 0..STORES {
        writeln!(
            file,
            "test-{number},Test Street {number},Licensed,{number} Test St,Burlington,VT,US,05401,8025550110,\
             GMT-05:00 America/New_York,-73.{number:03},44.{number:03}"
        )
        .unwrap();
    }
    file
}
