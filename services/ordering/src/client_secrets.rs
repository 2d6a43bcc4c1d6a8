//! Client secrets of orders that wait for the consumer's authentication. They are kept in memory for a while, so that a page that asks
//! for its order again and again causes one call to payments. No table contains them.

use std::{fmt, time::Duration};

use moka::sync::Cache;
use types::OrderId;

/// An order waits for ten minutes.
const MAX_AGE: Duration = Duration::from_mins(10);
const MAX_ORDERS: u64 = 10_000;

#[derive(Clone)]
pub struct ClientSecrets(Cache<OrderId, String>);

impl Default for ClientSecrets {
    fn default() -> Self {
        Self(
            Cache::builder()
                .max_capacity(MAX_ORDERS)
                .time_to_live(MAX_AGE)
                .build(),
        )
    }
}

impl fmt::Debug for ClientSecrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ClientSecrets")
    }
}

impl ClientSecrets {
    pub(crate) fn insert(&self, order_id: OrderId, secret: &str) {
        if !secret.is_empty() {
            self.0.insert(order_id, secret.to_owned());
        }
    }

    pub(crate) fn get(&self, order_id: OrderId) -> Option<String> {
        self.0.get(&order_id)
    }
}
