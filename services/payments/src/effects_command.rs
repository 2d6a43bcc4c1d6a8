//! `payments effects`: lists effects, and plans failed ones again.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use sqlx::PgPool;

use crate::db::effects;
use crate::domain::charge::ChargeEffect;
use crate::domain::effect::{Effect, EffectState, ListedEffect};

/// Maximum number of listed effects.
const LIST_LIMIT: i64 = 1_000;

/// Planned calls to the payment provider: captures, voids, refunds, and detached payment methods.
#[derive(Debug, Subcommand)]
pub enum EffectsCommand {
    /// List effects, oldest first: those that are planned or failed, or those in one state.
    List {
        /// `planned`, `done` or `failed`.
        #[arg(long)]
        state: Option<EffectState>,
        /// Only captures that have failed for good, newest first. They are `done` when their hold is voided.
        #[arg(long, conflicts_with = "state")]
        failed_captures: bool,
    },
    /// Plan failed effects again. A running server executes them at once.
    Retry(RetryTarget),
}

#[derive(Debug, Clone, Copy, Args)]
#[group(required = true, multiple = false)]
pub struct RetryTarget {
    /// The id that `list` shows.
    id: Option<Effect>,
    /// All failed effects except captures.
    #[arg(long)]
    all: bool,
}

/// Runs the command.
///
/// # Errors
/// The effect to retry has not failed, or is a capture.
pub async fn run(pool: &PgPool, command: EffectsCommand) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    match command {
        EffectsCommand::List {
            state,
            failed_captures,
        } => {
            let states = match state {
                Some(state) => vec![state],
                None if failed_captures => vec![EffectState::Done, EffectState::Failed],
                None => vec![EffectState::Planned, EffectState::Failed],
            };
            let listed = effects::list(&mut conn, &states, failed_captures, LIST_LIMIT).await?;
            print(&mut io::stdout().lock(), &listed)?;
        }
        EffectsCommand::Retry(RetryTarget { id, all: _ }) => {
            anyhow::ensure!(
                !matches!(id, Some(Effect::Charge(_, ChargeEffect::Capture))),
                "a failed capture cannot be retried: the order is unpaid, and its store collects the money"
            );
            let planned = effects::plan_failed(&mut conn, id).await?;
            if let Some(id) = id {
                anyhow::ensure!(planned == 1, "{id} is not a failed effect");
            }
            writeln!(io::stdout(), "{planned} planned")?;
        }
    }
    Ok(())
}

/// Writes one line for each effect, with fields separated by tabs.
fn print(out: &mut impl Write, listed: &[ListedEffect]) -> io::Result<()> {
    writeln!(
        out,
        "id\tstate\tpays for\tattempts\tplanned at\tnext attempt\tcode\tlast error"
    )?;
    for effect in listed {
        let subject = effect
            .subject
            .map(|subject| subject.to_string())
            .unwrap_or_default();
        let due_at = match effect.state {
            EffectState::Planned => effect.due_at.to_string(),
            EffectState::Done | EffectState::Failed => String::new(),
        };
        writeln!(
            out,
            "{}\t{}\t{subject}\t{}\t{}\t{due_at}\t{}\t{}",
            effect.effect,
            effect.state.as_str(),
            effect.attempts,
            effect.created_at,
            effect.failure_code.as_deref().unwrap_or_default(),
            effect.last_error.as_deref().unwrap_or_default(),
        )?;
    }
    Ok(())
}
