//! Holds the lines of a cart against a store's menu, prices them and says when they could be ready.

use std::sync::Arc;

use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use types::{MoneyError, StoreId};

use super::{
    get_store::store_unknown,
    show::{Shown, shop},
};
use crate::{
    Stores,
    db::{self, stores::Moment},
    domain::{
        capacity::{Load, slice_of},
        lines::{self, Line, MOST_LINES, Problem, Resolved},
        menu::Menu,
        pickup::{NotThen, Wanted, furthest},
        sold_out::SoldOut,
    },
};

/// Why lines are not looked at.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// No such store.
    #[error("no such store")]
    StoreUnknown,
    /// No cart is that long.
    #[error("more than {MOST_LINES} lines")]
    TooManyLines,
    /// The store does not open in the days that an order may be scheduled for.
    #[error("the store does not open")]
    NeverOpen,
    /// The menu's own prices do not fit.
    #[error("menu prices: {0}")]
    Prices(#[from] MoneyError),
    /// Nobody's decision.
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ResolveError);

impl From<ResolveError> for ServiceError {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::StoreUnknown => store_unknown(),
            ResolveError::TooManyLines => Self::new(
                ErrorCode::RuleViolation,
                "TOO_MANY_LINES",
                format!("A cart may have up to {MOST_LINES} lines."),
            )
            .with_field("lines"),
            ResolveError::NeverOpen => Self::new(
                ErrorCode::Conflict,
                "STORE_CLOSED",
                "The store is closed until further notice.",
            ),
            ResolveError::Prices(error) => InternalError::broken(error).into(),
            ResolveError::Internal(fault) => fault.into(),
        }
    }
}

/// A store with everything that lines are held against.
#[derive(Debug)]
pub struct Till {
    /// The store as it stands now.
    pub shown: Shown,
    menu: Arc<Menu>,
    sold_out: SoldOut,
    load: Load,
    now: Timestamp,
}

/// What became of the lines.
#[derive(Debug)]
pub struct Resolution<'till> {
    /// Each line with what it is, or what is wrong with it; in their order.
    pub lines: Vec<Result<Resolved<'till>, Problem>>,
    /// Seconds of making that the good ones need.
    pub make_seconds: u32,
    /// When they would be ready if reserved now; where the store cannot have them when they are wanted, the soonest that
    /// it could.
    pub ready_at: Timestamp,
    /// Why not when they are wanted.
    pub not_then: Option<NotThen>,
}

/// Reads what lines at a store are held against.
///
/// # Errors
/// [`ResolveError::StoreUnknown`].
pub async fn till(cx: &Stores, id: StoreId) -> Result<Till, ResolveError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let slices = slice_of(now)..=slice_of(furthest(now));
    let Moment {
        store,
        load,
        sold_out,
        ..
    } = db::stores::by_id(&mut conn, id, None, slices)
        .await?
        .ok_or(ResolveError::StoreUnknown)?;
    let menu = cx.menus.of(&mut conn, store.company, store.menu_version).await?;
    Ok(Till {
        shown: Shown::at(store, &load, now, None),
        menu,
        sold_out,
        load,
        now,
    })
}

impl Till {
    /// Holds lines against the menu.
    ///
    /// # Errors
    /// [`ResolveError::TooManyLines`], [`ResolveError::NeverOpen`], [`ResolveError::Prices`]. What is wrong with single lines is in the answer.
    pub fn resolve(&self, wanted: &[Line], pickup: Wanted) -> Result<Resolution<'_>, ResolveError> {
        if wanted.len() > MOST_LINES {
            return Err(ResolveError::TooManyLines);
        }
        let lines = lines::resolve(&self.menu, &self.sold_out, wanted)?;
        let good = lines
            .iter()
            .zip(wanted)
            .filter_map(|(line, wanted)| Some((line.as_ref().ok()?, wanted.quantity)));
        let make_seconds = lines::make_seconds(good);
        let shop = shop(&self.shown.store, &self.load);
        let (ready_at, not_then) = match shop.plan(make_seconds, pickup, self.now) {
            Ok(plan) => (plan.ready_at, None),
            Err(not_then) => {
                let soonest = shop
                    .soonest_ever(make_seconds, self.now)
                    .ok_or(ResolveError::NeverOpen)?;
                (soonest, Some(not_then))
            }
        };
        Ok(Resolution {
            lines,
            make_seconds,
            ready_at,
            not_then,
        })
    }
}
