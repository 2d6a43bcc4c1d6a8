//! Commands that print a secret, which cannot be shown again.

use std::{
    fs::File,
    process::{Command, Output, Stdio},
};

use secrecy::ExposeSecret;

use crate::harness::Harness;

const WEBHOOKS_SECRET: &str = "0123456789abcdef0123456789abcdef";

/// What the commands change.
const STORED: &str = "SELECT concat((SELECT string_agg(s::text, ',') FROM webhook_subscriptions s),
                                    (SELECT string_agg(c::text, ',' ORDER BY c::text) FROM store_credentials c),
                                    (SELECT string_agg(p::text, ',' ORDER BY p::text) FROM staff_pins p))";

async fn stored(harness: &Harness) -> String {
    sqlx::query_scalar(STORED)
        .fetch_one(&harness.database.pool)
        .await
        .unwrap()
}

fn run(harness: &Harness, arguments: &[&str], out: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stores"))
        .args(arguments)
        .env("STORES_DATABASE_URL", harness.database.url.expose_secret())
        .env("WEBHOOKS_SECRET", WEBHOOKS_SECRET)
        .env("WEBHOOKS_ALLOW_PRIVATE_ADDRESSES", "true")
        .stdout(out)
        .stderr(Stdio::piped())
        .output()
        .unwrap()
}

fn full_disk() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_cannot_be_printed_is_not_stored() {
    let harness = Harness::seeded().await;
    let store = harness.store("Sunset & Maltman").await.to_string();
    let company: String = sqlx::query_scalar("SELECT name FROM companies ORDER BY name LIMIT 1")
        .fetch_one(&harness.database.pool)
        .await
        .unwrap();
    let add = ["webhooks", "add", &company, "http://127.0.0.1:9/hook"];
    let added = run(&harness, &add, Stdio::piped());
    let printed = String::from_utf8(added.stdout).unwrap();
    let (subscription, secret) = printed.trim_end().split_once('\t').unwrap();
    assert!(secret.starts_with("whsec_"), "{printed}");

    let before = stored(&harness).await;
    for command in [
        &["webhooks", "add", &company, "http://127.0.0.1:9/other"][..],
        &["webhooks", "rotate", &company, subscription],
        &["issue-credential", "--label", "till", &store],
        &["staff-pin", &store],
    ] {
        let run_with = |out| run(&harness, command, out);
        let failed = run_with(full_disk());
        let error = String::from_utf8(failed.stderr).unwrap();
        assert!(!failed.status.success(), "{command:?}");
        assert_eq!(stored(&harness).await, before, "{command:?}");
        assert!(error.contains("cannot be printed"), "{command:?}: {error}");
    }
    // The same commands succeed afterwards.
    let repeated = run(
        &harness,
        &["webhooks", "rotate", &company, subscription],
        Stdio::piped(),
    );
    assert!(repeated.status.success() && !repeated.stdout.is_empty());
    assert_ne!(stored(&harness).await, before);
    harness.close().await;
}

#[test]
fn a_command_ends_if_the_database_does_not_respond() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://orderahead@{}/stores", silent.local_addr().unwrap());
    let listed = Command::new(env!("CARGO_BIN_EXE_stores"))
        .args(["webhooks", "list", "Acme"])
        .env("STORES_DATABASE_URL", url)
        .env("DATABASE_WAIT_SECONDS", "1")
        .env("WEBHOOKS_SECRET", WEBHOOKS_SECRET)
        .output()
        .unwrap();
    let error = String::from_utf8(listed.stderr).unwrap();
    assert!(!listed.status.success());
    assert!(error.contains("database was not available"), "{error}");
}
