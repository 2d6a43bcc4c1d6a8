//! The servers that the stacks of these tests share with others: each keeps to names of its own there.

fn named(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.to_owned())
}

/// PostgreSQL, by a role that may create databases.
pub fn postgres() -> String {
    testing::server_url()
}

/// RabbitMQ.
pub fn broker() -> String {
    named("TEST_AMQP_URL", "amqp://127.0.0.1:7272/%2f")
}

/// Redis, by the number of one of its databases.
pub fn redis(number: u32) -> String {
    let server = named("TEST_REDIS_URL", "redis://127.0.0.1:7279");
    format!("{}/{number}", server.trim_end_matches('/'))
}

/// A database on the same server.
pub fn database(name: &str) -> String {
    let mut url = url::Url::parse(&postgres()).unwrap();
    url.set_path(name);
    url.into()
}
