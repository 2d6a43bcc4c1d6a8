//! Migrated and seeded databases, created once per server and copied for each stack. They contain many stores that are always open,
//! one for each test, so that tests do not compete for capacity.

use std::fmt::Write;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::{sync::OnceCell, task::JoinSet};

use super::{
    cleanup,
    program::{Settings, command},
    servers::Servers,
    settings,
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
/// Of the numbers of the stores.
pub const NUMBER_PREFIX: &str = "test";
/// The seeded company that owns the stores and the menu of all tests.
const COMPANY: &str = "Juniper Lane Coffee";

static SHARED_SEED: OnceCell<String> = OnceCell::const_new();

/// Creates the databases of a stack on shared servers, with names that start with `prefix`. Returns their URLs by variable.
pub async fn copy_databases(servers: &Servers, prefix: &str) -> Settings {
    let seed = SHARED_SEED
        .get_or_init(async || {
            let seed = testing::unique_name();
            create_databases(servers, &seed, true).await;
            seed
        })
        .await;
    let mut server = PgConnection::connect(&servers.postgres).await.unwrap();
    for (_, database, _) in SERVICES {
        let (name, template) = (
            format!("{prefix}_{database}"),
            format!(" TEMPLATE {seed}_{database}"),
        );
        create(&mut server, &name, &template, true).await;
    }
    urls(servers, prefix)
}

/// Creates the databases of a stack on private servers, which are deleted with the server.
pub async fn create_private_databases(servers: &Servers, prefix: &str) -> Settings {
    create_databases(servers, prefix, false).await;
    urls(servers, prefix)
}

fn urls(servers: &Servers, prefix: &str) -> Settings {
    SERVICES
        .iter()
        .map(|(_, database, variable)| (*variable, servers.database(&format!("{prefix}_{database}"))))
        .collect()
}

async fn create(server: &mut PgConnection, name: &str, template: &str, is_shared: bool) {
    if is_shared {
        cleanup::register("database", name);
    }
    let statement = format!("CREATE DATABASE {name}{template}");
    sqlx::query(AssertSqlSafe(statement))
        .execute(server)
        .await
        .unwrap();
}

async fn create_databases(servers: &Servers, prefix: &str, is_shared: bool) {
    let mut server = PgConnection::connect(&servers.postgres).await.unwrap();
    let mut seeding = JoinSet::new();
    for (program, database, variable) in SERVICES {
        let name = format!("{prefix}_{database}");
        create(&mut server, &name, "", is_shared).await;
        let mut settings = settings::common_settings();
        settings.insert(variable, servers.database(&name));
        seeding.spawn_blocking(move || seed(program, &name, &settings));
    }
    seeding.join_all().await;
}

fn seed(program: &str, name: &str, settings: &Settings) {
    run(program, settings, &["migrate"]);
    run(program, settings, &["seed"]);
    if program == "stores" {
        import_stores(NUMBER_PREFIX, name, settings);
    }
}

/// Adds stores with numbers that start with `prefix`. `name` is unique among concurrent imports.
pub fn import_stores(prefix: &str, name: &str, settings: &Settings) {
    let file = std::env::temp_dir().join(format!("{name}.csv"));
    std::fs::write(&file, stores(prefix)).unwrap();
    let import = [
        "import",
        file.to_str().unwrap(),
        "--hours",
        "00:00-24:00",
        "--company",
        COMPANY,
    ];
    run("stores", settings, &import);
    std::fs::remove_file(file).unwrap();
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

fn stores(prefix: &str) -> String {
    let mut file =
        "store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude\n"
            .to_owned();
    for number in 0..STORES {
        writeln!(
            file,
            "{prefix}-{number},Test Street {number},Licensed,{number} Test St,Burlington,VT,US,05401,8025550110,\
             GMT-05:00 America/New_York,-73.{number:03},44.{number:03}"
        )
        .unwrap();
    }
    file
}
