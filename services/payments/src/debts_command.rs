//! `payments debts`: lists debts, and waives penalty fees.

use std::io::{self, Write};

use clap::Subcommand;
use jiff::Timestamp;
use sqlx::PgPool;
use types::DebtId;

use crate::db::debts;
use crate::domain::debt::ListedDebt;
use crate::ops::waive_fee::{WaivedFee, waive_fee};

/// Maximum number of listed debts.
const LIST_LIMIT: i64 = 1_000;

/// Payments that a bank returned after the consumer had received what they paid for.
#[derive(Debug, Subcommand)]
pub enum DebtsCommand {
    /// List open debts, oldest first. Amounts are in cents.
    List,
    /// Waive the penalty fee of an open debt that is not being paid. Writes off an amount that is too small for a card.
    WaiveFee {
        /// The id that `list` shows.
        id: DebtId,
    },
}

/// Runs the command.
///
/// # Errors
/// The database is unavailable, or the fee cannot be waived.
pub async fn run(pool: &PgPool, command: DebtsCommand, now: Timestamp) -> anyhow::Result<()> {
    match command {
        DebtsCommand::List => {
            let mut conn = pool.acquire().await?;
            let listed = debts::list_open(&mut conn, None, LIST_LIMIT).await?;
            print(&mut io::stdout().lock(), &listed)?;
        }
        DebtsCommand::WaiveFee { id } => {
            let mut tx = kit::postgres::begin(pool).await?;
            let waived = waive_fee(&mut tx, id, now).await?;
            tx.commit().await?;
            let result = match waived {
                WaivedFee::AmountOwed => "waived",
                WaivedFee::WrittenOff => "written off: the amount is too small for a card",
            };
            writeln!(io::stdout(), "{result}")?;
        }
    }
    Ok(())
}

/// Writes one line for each debt, with fields separated by tabs.
fn print(out: &mut impl Write, listed: &[ListedDebt]) -> io::Result<()> {
    writeln!(out, "id\tpaid for\tconsumer\tamount\tpenalty fee\treturned at")?;
    for ListedDebt { debt, subject, .. } in listed {
        let consumer_id = debt.consumer_id.map(|id| id.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{}\t{subject}\t{consumer_id}\t{}\t{}\t{}",
            debt.id,
            debt.amount.minor_units(),
            debt.penalty_fee.minor_units(),
            debt.created_at,
        )?;
    }
    Ok(())
}
