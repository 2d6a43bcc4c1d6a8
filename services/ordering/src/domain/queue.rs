//! The queue that stores work from.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use types::OrderId;

use super::order::Order;
use super::status::Status;

/// The position of an order in the queue: new orders, then orders in preparation, then ready orders, each sorted by
/// start time. An order only moves toward the end, so that a client that reads all pages misses none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueCursor {
    pub rank: i32,
    pub start_at: Timestamp,
    pub order_id: OrderId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid cursor")]
pub struct InvalidCursor;

impl QueueCursor {
    /// Returns the position of an order. The database sorts by the same ranks (`orders_store_queue_rank_idx`).
    #[must_use]
    pub const fn of(order: &Order) -> Self {
        let rank = match order.status {
            Status::Placed => 0,
            Status::Accepted | Status::Preparing => 1,
            _ => 2,
        };
        Self {
            rank,
            start_at: order.start_at,
            order_id: order.id,
        }
    }
}

impl fmt::Display for QueueCursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rank,
            start_at,
            order_id,
        } = self;
        write!(formatter, "{rank}.{}.{order_id}", start_at.as_microsecond())
    }
}

impl FromStr for QueueCursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let mut parts = text.splitn(3, '.');
        let mut next = || parts.next().ok_or(InvalidCursor);
        let (rank, start_at, order_id) = (next()?, next()?, next()?);
        let microseconds = start_at.parse().map_err(|_| InvalidCursor)?;
        Ok(Self {
            rank: rank.parse().map_err(|_| InvalidCursor)?,
            start_at: Timestamp::from_microsecond(microseconds).map_err(|_| InvalidCursor)?,
            order_id: order_id.parse().map_err(|_| InvalidCursor)?,
        })
    }
}

/// A page of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePage<T> {
    pub orders: Vec<T>,
    /// Set if there are more orders.
    pub next: Option<QueueCursor>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_parses_from_its_text() {
        let cursor = QueueCursor {
            rank: 1,
            start_at: "2026-11-20T16:00:00.000001Z".parse().unwrap(),
            order_id: "ord_01h455vb4pex5vsknk084sn02q".parse().unwrap(),
        };
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
    }

    #[test]
    fn other_texts_are_errors() {
        for text in [
            "",
            "1",
            "1.2",
            "x.1.ord_01h455vb4pex5vsknk084sn02q",
            "1.999999999999999999.ord_01h455vb4pex5vsknk084sn02q",
            "1.1.usr_01h455vb4pex5vsknk084sn02q",
        ] {
            assert_eq!(text.parse::<QueueCursor>(), Err(InvalidCursor), "{text}");
        }
    }
}
