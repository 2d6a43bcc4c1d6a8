//! Settings of the programs of a stack.

use super::program::Settings;

pub const CALLER_SECRET: &str = "a-secret-that-only-system-tests-know";
pub const SECRET_KEY: &str = "sk_test_system";
pub const PUBLISHABLE_KEY: &str = "pk_test_system";
/// Gives access to all stores.
pub const STORE_CREDENTIAL: &str = "store_credential_of_the_system_tests";
/// Gives access to the first store of the seed only.
pub const ONE_STORE_CREDENTIAL: &str = "store_credential_of_the_system_tests_one";

/// Settings of all programs and stacks. Intervals are short.
pub fn common_settings() -> Settings {
    Settings::from([
        ("CALLER_SECRET", CALLER_SECRET.to_owned()),
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
        ("PROVIDER_SECRET_KEY", SECRET_KEY.to_owned()),
        ("PROVIDER_PUBLISHABLE_KEY", PUBLISHABLE_KEY.to_owned()),
        ("PROVIDER_WEBHOOK_SECRET", "whsec_system".to_owned()),
        ("DEV_STORE_CREDENTIAL", STORE_CREDENTIAL.to_owned()),
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
