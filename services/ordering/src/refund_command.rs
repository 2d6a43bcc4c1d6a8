//! `ordering refund`: refunds a part of a completed order.

use std::io::{self, Write};
use std::time::Duration;

use kit::grpc::deadline;

use crate::{
    Ordering,
    domain::refund::RefundParts,
    ops::refund_order::{RefundOrder, refund_order},
};

const TIMEOUT: Duration = Duration::from_secs(20);

/// Runs the command.
///
/// # Errors
/// The refund is not possible, or was interrupted; an interrupted refund is executed later.
pub(crate) async fn run(cx: &Ordering, command: RefundOrder) -> anyhow::Result<()> {
    let parts = deadline::within(TIMEOUT, refund_order(cx, command)).await?;
    write_parts(&mut io::stdout().lock(), parts)?;
    Ok(())
}

/// Writes one line for each part. Payments has planned the part of the charge, and calls the provider afterwards.
fn write_parts(out: &mut impl Write, parts: RefundParts) -> io::Result<()> {
    if parts.charge.is_positive() {
        writeln!(
            out,
            "planned: {} to the card or bank account; `payments effects list` shows the refund until the provider accepts it",
            parts.charge,
        )?;
    }
    if parts.stored_value.is_positive() {
        writeln!(out, "refunded: {} to stored value", parts.stored_value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use types::Money;

    use super::*;

    fn output(charge: i64, stored_value: i64) -> String {
        let parts = RefundParts {
            charge: Money::usd(charge),
            stored_value: Money::usd(stored_value),
        };
        let mut out = Vec::new();
        write_parts(&mut out, parts).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_stored_value_is_refunded_at_once() {
        let planned = "planned: $4.00 to the card or bank account; `payments effects list` shows the refund until the provider accepts it\n";
        assert_eq!(output(400, 0), planned);
        assert_eq!(output(0, 143), "refunded: $1.43 to stored value\n");
        assert_eq!(
            output(400, 143),
            format!("{planned}refunded: $1.43 to stored value\n")
        );
    }
}
