//! `ordering refund`: refunds a part of a completed order.

use std::io::{self, Write};
use std::time::Duration;

use kit::grpc::deadline;

use crate::{
    Ordering,
    ops::refund_order::{RefundOrder, refund_order},
};

const TIMEOUT: Duration = Duration::from_secs(20);

/// Runs the command.
///
/// # Errors
/// The refund is not possible, or was interrupted; an interrupted refund is executed later.
pub(crate) async fn run(cx: &Ordering, command: RefundOrder) -> anyhow::Result<()> {
    let parts = deadline::within(TIMEOUT, refund_order(cx, command)).await?;
    writeln!(
        io::stdout(),
        "refunded {} to the card or bank account and {} to stored value",
        parts.charge,
        parts.stored_value,
    )?;
    Ok(())
}
