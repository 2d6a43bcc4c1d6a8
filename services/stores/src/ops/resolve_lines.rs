//! Validates and prices cart lines, and computes their ready time.

use kit::{ErrorCode, InternalError, ServiceError};
use types::{MoneyError, limits::MAX_CART_LINES};

use crate::{
    Stores, db,
    domain::{
        capacity::slot_at,
        cart_lines::{self, ResolveLines, ResolvedLine, ResolvedLines},
        pickup::latest_pickup_at,
        store_view::StoreView,
    },
    not_found,
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ResolveLinesError {
    #[error("unknown store")]
    StoreUnknown,
    #[error("more than {MAX_CART_LINES} lines")]
    TooManyLines,
    /// The store does not open in the next days for which orders can be scheduled.
    #[error("the store does not open")]
    NeverOpen,
    #[error("menu prices: {0}")]
    Prices(#[from] MoneyError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ResolveLinesError);

impl From<ResolveLinesError> for ServiceError {
    fn from(error: ResolveLinesError) -> Self {
        match error {
            ResolveLinesError::StoreUnknown => not_found::store(),
            ResolveLinesError::TooManyLines => Self::new(
                ErrorCode::RuleViolation,
                "TOO_MANY_LINES",
                format!("A cart can have up to {MAX_CART_LINES} items."),
            )
            .with_field("lines"),
            ResolveLinesError::NeverOpen => Self::new(
                ErrorCode::Conflict,
                "STORE_CLOSED",
                "This store isn't taking orders. Please pick another store.",
            ),
            ResolveLinesError::Prices(error) => InternalError::invariant_violated(error).into(),
            ResolveLinesError::Internal(error) => error.into(),
        }
    }
}

/// Problems of single lines, and a time that the store cannot meet, are part of the result.
///
/// # Errors
/// [`ResolveLinesError`] if no line can be resolved.
pub(crate) async fn resolve_lines(
    cx: &Stores,
    request: ResolveLines,
) -> Result<ResolvedLines, ResolveLinesError> {
    if request.lines.len() > MAX_CART_LINES {
        return Err(ResolveLinesError::TooManyLines);
    }
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let slots = slot_at(now)..=slot_at(latest_pickup_at(now));
    let snapshot = db::stores::by_id(&mut conn, request.store_id, None, slots.clone())
        .await?
        .ok_or(ResolveLinesError::StoreUnknown)?;
    cx.recent_snapshots.insert(now, slots, snapshot.clone());
    let store = &snapshot.store;
    let menu = cx
        .menus
        .get(&mut conn, store.company_id, store.menu_version)
        .await?;
    let (mut lines, mut line_problems) = (Vec::new(), Vec::new());
    for line in cart_lines::resolve(&menu, &snapshot.sold_out, request.lines)? {
        match line {
            Ok(line) => lines.push(line),
            Err(problem) => line_problems.push(problem),
        }
    }
    let make_seconds = total_make_seconds(&lines);
    let schedule = snapshot.schedule();
    let (ready_at, pickup_problem) = match schedule.plan(make_seconds, request.pickup, now) {
        Ok(plan) => (plan.ready_at, None),
        Err(problem) => {
            let ready_at = schedule
                .earliest_ready_at(make_seconds, now)
                .ok_or(ResolveLinesError::NeverOpen)?;
            (ready_at, Some(problem))
        }
    };
    Ok(ResolvedLines {
        lines,
        line_problems,
        make_seconds,
        ready_at,
        pickup_problem,
        store: StoreView::new(snapshot.store, &snapshot.load, now, None),
    })
}

fn total_make_seconds(lines: &[ResolvedLine]) -> u32 {
    lines
        .iter()
        .fold(0, |sum: u32, line| sum.saturating_add(line.make_seconds))
}
