//! URLs of the backing services that all test processes share.

pub fn postgres() -> String {
    testing::server_url()
}

pub fn broker() -> String {
    from_env("TEST_AMQP_URL", "amqp://127.0.0.1:7272/%2f")
}

pub fn redis() -> String {
    from_env("TEST_REDIS_URL", "redis://127.0.0.1:7279")
}

fn from_env(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.to_owned())
}
