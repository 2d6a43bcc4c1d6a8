use jiff::Timestamp;
use kit::{InternalError, ServiceError};
use ledger::PostError;
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, Money, StoreId};

use super::{publish_balance_changed::publish_balance_changed, wallet::list_sources};
use crate::{
    GiftCards, convert,
    db::{
        accounts::{self, account_id, balance_id},
        hold_step::{self, NewHold},
        holds,
        postings::post_movement,
    },
    domain::{
        hold::{HeldAmount, Hold, HoldError, HoldSnapshot, HoldValue, Movement},
        wallet::BalanceSource,
    },
};

#[derive(Debug, thiserror::Error)]
pub enum HoldValueError {
    #[error(transparent)]
    Rejected(#[from] HoldError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(HoldValueError);

impl From<HoldValueError> for ServiceError {
    fn from(error: HoldValueError) -> Self {
        match error {
            HoldValueError::Rejected(error) => convert::hold_error(error),
            HoldValueError::Internal(error) => error.into(),
        }
    }
}

/// Holds an amount of a consumer's balance for an order. Idempotent by order id: an equal request returns the existing
/// hold, even after its capture.
pub async fn hold_value(cx: &GiftCards, command: HoldValue) -> Result<HoldSnapshot, HoldValueError> {
    if command.amount.minor_units() < 0 {
        return Err(HoldError::NegativeAmount.into());
    }
    match hold(cx, command.clone()).await {
        // Only company cards need the company, which the caller may not know.
        Err(HoldValueError::Rejected(HoldError::CardNotValidHere)) if command.company_id.is_none() => {
            let company_id = find_company(cx, command.store_id).await?;
            hold(
                cx,
                HoldValue {
                    company_id,
                    ..command
                },
            )
            .await
        }
        outcome => outcome,
    }
}

async fn hold(cx: &GiftCards, command: HoldValue) -> Result<HoldSnapshot, HoldValueError> {
    let (order_id, at) = (command.order_id, cx.clock.now());
    if let Some(held) = hold_at_once(cx, &command, at).await? {
        return Ok(held);
    }
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let balance_id = find_balance(&mut tx, &command, at).await?;
    let account = account_id(balance_id);
    let held_amount = HeldAmount {
        balance_id,
        amount: command.amount,
        title: command.title,
        store_id: command.store_id,
    };
    let hold = Hold::Held(held_amount.clone());
    if !holds::insert(&mut tx, order_id, &hold, at).await? {
        let existing = holds::lock(&mut tx, order_id)
            .await?
            .ok_or_else(|| InternalError::invariant_violated("existing hold not found"))?;
        return Ok(HoldSnapshot {
            order_id,
            hold: require_equal(existing, &held_amount)?,
            available: accounts::available(&mut tx, account).await?,
        });
    }
    let posted = post_movement(&mut tx, order_id, &held_amount, Movement::Hold, at)
        .await
        .map_err(post_error)?;
    let available = match posted.and_then(|posted| posted.from) {
        Some(after) => {
            publish_balance_changed(&mut tx, command.consumer_id, balance_id, after, at).await?;
            Money::usd(after.balance)
        }
        None => accounts::available(&mut tx, account).await?,
    };
    tx.commit().await?;
    kit::fault_point::reach("value.held");
    Ok(HoldSnapshot {
        order_id,
        hold,
        available,
    })
}

/// Holds from JoePass with one statement, without a transaction. Returns `None`, and writes nothing, if that is not possible: the
/// order has a hold, the amount is 0 or too high, or it is to be held from another balance.
async fn hold_at_once(
    cx: &GiftCards,
    command: &HoldValue,
    at: Timestamp,
) -> Result<Option<HoldSnapshot>, InternalError> {
    if !command.amount.is_positive() {
        return Ok(None);
    }
    let mut conn = cx.pool.acquire().await?;
    let balance_id = match command.balance_id {
        Some(requested) => Some(requested),
        None => accounts::find_joepass(&mut conn, command.consumer_id)
            .await?
            .map(balance_id),
    };
    let Some(balance_id) = balance_id else {
        return Ok(None);
    };
    let held = HeldAmount {
        balance_id,
        amount: command.amount,
        title: command.title.clone(),
        store_id: command.store_id,
    };
    let (event, balance_index) =
        convert::balance_changed_without_balance(command.consumer_id, balance_id, at)?;
    let new_hold = NewHold {
        order_id: command.order_id,
        consumer_id: command.consumer_id,
        held: &held,
        explanation: &Movement::Hold.title(&held),
        event: &event,
        balance_index,
        at,
    };
    let Some(cents) = hold_step::insert(&mut conn, new_hold).await? else {
        return Ok(None);
    };
    kit::fault_point::reach("value.held");
    Ok(Some(HoldSnapshot {
        order_id: command.order_id,
        hold: Hold::Held(held),
        available: Money::usd(cents),
    }))
}

/// Returns the company of the store, or `None` if the store is unknown.
async fn find_company(cx: &GiftCards, store_id: Option<StoreId>) -> Result<Option<CompanyId>, InternalError> {
    let Some(store_id) = store_id else {
        return Ok(None);
    };
    let store = cx.clients.stores.find_store(store_id).await?;
    Ok(store.map(|store| store.company_id))
}

/// Returns the balance to hold from, if it belongs to the consumer and is valid at the store.
async fn find_balance(
    conn: &mut PgConnection,
    command: &HoldValue,
    at: Timestamp,
) -> Result<BalanceId, HoldValueError> {
    let joepass = accounts::open_joepass(conn, command.consumer_id, at)
        .await?
        .map(balance_id)
        .ok_or(HoldError::BalanceUnknown)?;
    let Some(requested) = command.balance_id.filter(|requested| *requested != joepass) else {
        return Ok(joepass);
    };
    let sources = list_sources(conn, command.consumer_id).await?;
    let source = sources.into_iter().find(|(id, _)| *id == requested);
    match source.ok_or(HoldError::BalanceUnknown)?.1 {
        BalanceSource::CompanyCard(card) if command.company_id != Some(card.company_id) => {
            Err(HoldError::CardNotValidHere.into())
        }
        BalanceSource::CompanyCard(card) if !card.is_active => Err(HoldError::CardInactive.into()),
        _ => Ok(requested),
    }
}

/// Returns the existing hold if it is the requested one.
fn require_equal(existing: Hold, requested: &HeldAmount) -> Result<Hold, HoldError> {
    match &existing {
        Hold::Held(held_amount) | Hold::Captured(held_amount) => {
            if (held_amount.balance_id, held_amount.amount) == (requested.balance_id, requested.amount) {
                Ok(existing)
            } else {
                Err(HoldError::Mismatch)
            }
        }
        Hold::Released(_) | Hold::Refunded(_) | Hold::Closed => Err(HoldError::Closed),
    }
}

fn post_error(error: PostError) -> HoldValueError {
    match error {
        PostError::InsufficientBalance { available } => HoldError::InsufficientBalance {
            available: Money::usd(available),
        }
        .into(),
        other => InternalError::from(other).into(),
    }
}
