//! `ordering audit`: compares all orders with their charges and holds.

use std::{
    io::{self, Write},
    time::Duration,
};

use kit::grpc::deadline;

use crate::{Ordering, ops::audit_money::audit_all_money};

/// For all orders.
const TIMEOUT: Duration = Duration::from_hours(12);

/// Writes one line for each difference: the order and the kind, separated by a tab.
///
/// # Errors
/// There are differences, or the database or a service is unavailable.
pub(crate) async fn run(cx: &Ordering) -> anyhow::Result<()> {
    let audit = deadline::within(TIMEOUT, audit_all_money(cx)).await?;
    let mut out = io::stdout().lock();
    for (order_id, difference) in &audit.differences {
        writeln!(out, "{order_id}\t{difference}")?;
    }
    for order_id in &audit.repaired {
        writeln!(out, "{order_id}\treleased")?;
    }
    let differences = audit.differences.len();
    anyhow::ensure!(
        differences == 0,
        "orders do not match their charges and holds: {differences} differences"
    );
    writeln!(out, "orders match their charges and holds")?;
    Ok(())
}
