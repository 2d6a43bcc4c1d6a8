//! Addresses of the shared backing services. Each stack uses its own names on them.

fn from_env(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.to_owned())
}

/// PostgreSQL, with a role that may create databases.
pub fn postgres() -> String {
    testing::server_url()
}

pub fn broker() -> String {
    from_env("TEST_AMQP_URL", "amqp://127.0.0.1:7272/%2f")
}

/// Redis database with the given number.
pub fn redis(number: u32) -> String {
    let server = from_env("TEST_REDIS_URL", "redis://127.0.0.1:7279");
    format!("{}/{number}", server.trim_end_matches('/'))
}

/// URL of a database on the PostgreSQL server.
pub fn database(name: &str) -> String {
    let mut url = url::Url::parse(&postgres()).unwrap();
    url.set_path(name);
    url.into()
}
