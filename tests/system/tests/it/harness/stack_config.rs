//! The programs of a stack, and how stacks differ.

/// In the order of the Procfile.
pub const PROGRAMS: [&str; 8] = [
    "accounts",
    "stores",
    "ordering",
    "payments",
    "gift-cards",
    "rewards",
    "gateway",
    "card-sandbox",
];

/// How a stack differs from the shared one.
pub struct StackConfig {
    /// For the folder of its logs.
    pub name: &'static str,
    /// Number of processes of each program, except the provider. With several, clients use a load balancer.
    pub replicas: usize,
    pub settings: &'static [(&'static str, &'static str)],
}
