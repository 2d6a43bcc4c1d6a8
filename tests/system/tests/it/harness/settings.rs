//! Settings of the programs of a stack.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::program::Settings;

/// Origin of a running system that the tests use. They then start no programs, and tests with fault injection fail.
pub fn running_origin() -> Option<String> {
    std::env::var("SYSTEM_TESTS_ORIGIN").ok()
}

/// Returns the setting of the running system, or `default` for the stacks that the tests start.
fn setting(name: &str, default: &str) -> String {
    let running = running_origin().map(|_| std::env::var(name));
    running.map_or_else(
        || default.to_owned(),
        |value| value.unwrap_or_else(|_| panic!("{name} is not set")),
    )
}

pub static CALLER_SECRET: LazyLock<String> =
    LazyLock::new(|| setting("CALLER_SECRET", "a-secret-that-only-system-tests-know"));
pub static WEBHOOKS_SECRET: LazyLock<String> =
    LazyLock::new(|| setting("WEBHOOKS_SECRET", "a-secret-for-webhooks-of-system-tests"));
pub static SECRET_KEY: LazyLock<String> = LazyLock::new(|| setting("PROVIDER_SECRET_KEY", "sk_test_system"));
pub static PUBLISHABLE_KEY: LazyLock<String> =
    LazyLock::new(|| setting("PROVIDER_PUBLISHABLE_KEY", "pk_test_system"));
/// Gives access to all stores.
pub static STORE_CREDENTIAL: LazyLock<String> =
    LazyLock::new(|| setting("DEV_STORE_CREDENTIAL", "store_credential_of_the_system_tests"));
/// Gives access to the first store of the seed only.
pub static ONE_STORE_CREDENTIAL: LazyLock<String> = LazyLock::new(|| format!("{}_one", *STORE_CREDENTIAL));

/// Key of an operator.
pub static OPERATOR_KEY: LazyLock<String> =
    LazyLock::new(|| setting("OPERATOR_KEY", "operator-key-that-only-system-tests-know"));

/// Settings of all programs and stacks. Intervals are short.
pub fn common_settings() -> Settings {
    Settings::from([
        ("CALLER_SECRET", CALLER_SECRET.clone()),
        (
            "ACCOUNTS_SECRET",
            "another-secret-that-only-system-tests-know".to_owned(),
        ),
        (
            "RECEIPT_SECRET",
            "a-secret-for-receipts-of-system-tests".to_owned(),
        ),
        (
            "GIFT_CARDS_SECRET",
            "a-secret-for-gift-cards-of-system-tests".to_owned(),
        ),
        ("WEBHOOKS_SECRET", WEBHOOKS_SECRET.clone()),
        ("ALLOW_DEMO_DATA", "true".to_owned()),
        ("PROVIDER_SECRET_KEY", SECRET_KEY.clone()),
        ("PROVIDER_PUBLISHABLE_KEY", PUBLISHABLE_KEY.clone()),
        ("PROVIDER_WEBHOOK_SECRET", "whsec_system".to_owned()),
        ("DEV_STORE_CREDENTIAL", STORE_CREDENTIAL.clone()),
        (
            "OPERATOR_KEYS",
            format!("tests:{}", hex::encode(Sha256::digest(&*OPERATOR_KEY))),
        ),
        ("CARD_SANDBOX_WEBHOOK_BACKOFF_MS", "100".to_owned()),
        ("EFFECT_BACKOFF_MS", "100".to_owned()),
        ("EFFECT_MAX_BACKOFF_MS", "1000".to_owned()),
        ("EFFECT_POLL_INTERVAL_MS", "200".to_owned()),
        // All consumers of the tests share one address and one phone prefix.
        ("SIGN_IN_LIMIT_PER_ADDRESS", "1000000".to_owned()),
        ("SIGN_IN_LIMIT_IN_ALL", "1000000".to_owned()),
        ("MAX_CONNECTIONS_PER_ADDRESS", "1000000".to_owned()),
        ("SIGN_IN_CODES_PER_PREFIX_PER_HOUR", "1000000".to_owned()),
        // Consumers of the tests place many orders.
        ("ORDER_MAX_ACTIVE", "1000".to_owned()),
        ("ORDER_MAX_SCHEDULED", "1000".to_owned()),
        // Receivers of the tests listen on this machine.
        ("WEBHOOKS_ALLOW_PRIVATE_ADDRESSES", "true".to_owned()),
        ("LOG_FORMAT", "json".to_owned()),
        ("RUST_LOG", "info".to_owned()),
    ])
}
