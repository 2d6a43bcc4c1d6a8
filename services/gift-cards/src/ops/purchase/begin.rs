use kit::InternalError;
use sqlx::PgConnection;
use types::{ConsumerId, Money};

use super::{PurchaseError, error};
use crate::{
    GiftCards,
    db::{
        accounts::{self, account_id},
        company_cards, consumers, deals, purchase_totals, purchases,
    },
    domain::purchase::{Item, Purchase},
};

/// Purchases of a consumer without a payment outcome.
const MAX_UNFINISHED: i64 = 10;

/// Writes the purchase in a transaction that also checks the limits of its consumer. From here on, recovery can find it.
///
/// Returns the purchase that a concurrent request began with the same key, if there is one.
///
/// # Errors
/// `BALANCE_LIMIT_REACHED`, `DEAL_NOT_AVAILABLE`, `TOO_MANY_PURCHASES`, `IDEMPOTENCY_KEY_REUSED`.
pub(super) async fn begin(cx: &GiftCards, purchase: &Purchase) -> Result<Option<Purchase>, PurchaseError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    // Purchases of one consumer begin one after the other, so that concurrent ones cannot exceed a limit together.
    if !consumers::lock_active(&mut tx, purchase.consumer_id).await? {
        return Err(error::balance_unknown());
    }
    let kind = purchase.item.kind();
    let existing =
        purchases::find_by_key(&mut tx, purchase.consumer_id, kind, &purchase.idempotency_key).await?;
    if let Some(existing) = existing {
        return if existing.request_hash == purchase.request_hash {
            Ok(Some(existing))
        } else {
            Err(error::key_reused())
        };
    }
    check_limits(cx, &mut tx, purchase).await?;
    purchases::insert(&mut tx, purchase, cx.rules.saga_lease()).await?;
    tx.commit().await?;
    Ok(None)
}

async fn check_limits(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: &Purchase,
) -> Result<(), PurchaseError> {
    if purchase_totals::count_unfinished(conn, purchase.consumer_id).await? >= MAX_UNFINISHED {
        return Err(error::too_many_purchases());
    }
    let contents = contents_with_unfinished(conn, purchase.consumer_id, &purchase.item).await?;
    let total = contents
        .plus(purchase.value)
        .map_err(InternalError::invariant_violated)?;
    if total.minor_units() > cx.rules.balance_maximum_cents {
        return Err(error::balance_limit(Money::usd(cx.rules.balance_maximum_cents)));
    }
    if let Some(deal_id) = purchase.deal_id {
        let company_id = match &purchase.item {
            Item::CompanyCard { company_id, .. } => Some(*company_id),
            Item::TopUp { .. } | Item::GiftCard { .. } => None,
        };
        let usable = deals::list(
            conn,
            purchase.consumer_id,
            company_id,
            Some(deal_id),
            purchase.created_at,
        )
        .await?;
        if usable.is_empty() {
            return Err(error::deal_not_available());
        }
    }
    Ok(())
}

/// Returns what the target balance contains once all unfinished purchases are completed.
async fn contents_with_unfinished(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    item: &Item,
) -> Result<Money, InternalError> {
    let (balance_id, company_id) = match item {
        Item::TopUp { balance_id } => {
            // A pending purchase of a company card has its company, and no balance yet.
            let company_id = company_cards::find_company(conn, consumer_id, *balance_id).await?;
            (Some(*balance_id), company_id)
        }
        Item::GiftCard { .. } => return Ok(Money::ZERO),
        Item::CompanyCard { company_id, .. } => {
            let cards = company_cards::list(conn, consumer_id, Some(*company_id)).await?;
            (cards.first().map(|card| card.balance_id), Some(*company_id))
        }
    };
    let available = match balance_id {
        Some(balance_id) => accounts::available(conn, account_id(balance_id)).await?,
        None => Money::ZERO,
    };
    let unfinished = purchase_totals::unfinished_value(conn, consumer_id, balance_id, company_id).await?;
    available
        .plus(unfinished)
        .map_err(InternalError::invariant_violated)
}
