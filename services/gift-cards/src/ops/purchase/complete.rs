use jiff::{SignedDuration, Timestamp};
use kit::{InternalError, outbox};
use ledger::{AccountId, BalanceAfter};
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, GiftCardId};

use super::{PurchaseError, claw_back::claw_back, error, removed_buyer::leave_to_recovery_if_removed};
use crate::{
    GiftCards, convert,
    db::{
        accounts::{self, COMPANY_CARD, GIFT_CARD, account_id, balance_id},
        company_cards, deliveries, gift_cards, postings, purchases,
    },
    domain::{
        charge::ClientSecret,
        gift_card::{CompanyCard, GiftCard, GiftCardKind, NewGiftCard},
        purchase::{ChargeOutcome, Item, Purchase, PurchaseState},
        recipient::RecipientKind,
    },
    ops::publish_balance_changed::publish_balance_changed,
};

/// Completes a purchase after its payment succeeded.
///
/// # Errors
/// Unavailable if another task took over the purchase.
pub(super) async fn complete(cx: &GiftCards, purchase: Purchase) -> Result<Purchase, PurchaseError> {
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    kit::fault_point::reach("purchase.completing");
    let completed = complete_in(cx, &mut tx, purchase, cx.clock.now()).await?;
    tx.commit().await?;
    let completed = completed.ok_or_else(error::taken_over)?;
    kit::fault_point::reach("purchase.completed");
    tracing::info!(purchase_id = %completed.id, kind = %completed.item.kind(), "purchase completed");
    Ok(completed)
}

/// Issues the value of a purchase in the caller's transaction. Returns `None`, and issues nothing, if another task changed
/// the purchase, or if its consumer was removed: recovery refunds it then.
pub(super) async fn complete_in(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: Purchase,
    now: Timestamp,
) -> Result<Option<Purchase>, InternalError> {
    if leave_to_recovery_if_removed(conn, &purchase).await? {
        return Ok(None);
    }
    let completed = PurchaseState::Completed;
    let Some(outcome) = purchases::advance(conn, &purchase, completed, None, now).await? else {
        return Ok(None);
    };
    let balance_id = issue(cx, conn, &purchase, now).await?;
    purchases::set_balance(conn, purchase.id, balance_id).await?;
    let completed = Purchase {
        state: completed,
        client_secret: ClientSecret::default(),
        balance_id: Some(balance_id),
        ..purchase
    };
    if outcome == Some(ChargeOutcome::Returned) {
        // The bank returned the debit after the task had read the charge.
        let id = completed.id;
        claw_back(cx, conn, completed, now).await?;
        return purchases::find(conn, id).await;
    }
    Ok(Some(completed))
}

/// Returns the balance that received the value.
async fn issue(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: &Purchase,
    now: Timestamp,
) -> Result<BalanceId, InternalError> {
    match &purchase.item {
        Item::TopUp { balance_id } => {
            let after = credit(conn, purchase, account_id(*balance_id), now).await?;
            if let Some(after) = after.filter(|_| purchase.is_automatic) {
                outbox::append(conn, convert::auto_reloaded(purchase, after, now)).await?;
            }
            Ok(*balance_id)
        }
        Item::GiftCard { id, .. } => issue_gift_card(cx, conn, purchase, *id, now).await,
        Item::CompanyCard {
            company_id,
            company_name,
        } => issue_company_card(conn, purchase, *company_id, company_name, now).await,
    }
}

/// Posts the value and publishes the new balance.
async fn credit(
    conn: &mut PgConnection,
    purchase: &Purchase,
    account: AccountId,
    now: Timestamp,
) -> Result<Option<BalanceAfter>, InternalError> {
    let posted = postings::post_purchase(conn, purchase, account, now).await?;
    if let Some(after) = posted.to {
        let (consumer_id, balance_id) = (purchase.consumer_id, balance_id(account));
        if purchase.is_automatic {
            outbox::append(
                conn,
                convert::balance_changed(consumer_id, balance_id, after, now),
            )
            .await?;
        } else {
            publish_balance_changed(conn, consumer_id, balance_id, after, now).await?;
        }
    }
    Ok(posted.to)
}

async fn issue_gift_card(
    cx: &GiftCards,
    conn: &mut PgConnection,
    purchase: &Purchase,
    id: GiftCardId,
    now: Timestamp,
) -> Result<BalanceId, InternalError> {
    let Item::GiftCard {
        recipient,
        design,
        deliver_at,
        ..
    } = &purchase.item
    else {
        return Err(InternalError::invariant_violated("not a gift card"));
    };
    let account = accounts::open_card(conn, GIFT_CARD, id, now).await?;
    let is_for_buyer = recipient.kind == RecipientKind::Buyer;
    let code = (!is_for_buyer).then(|| cx.secret.gift_code(id));
    let card = NewGiftCard {
        code_hash: code.as_ref().map(|code| cx.secret.code_hash(code)),
        pin_hash: None,
        purchase_id: Some(purchase.id),
        issued_at: now,
        card: GiftCard {
            id,
            kind: GiftCardKind::Digital,
            balance_id: balance_id(account),
            code_suffix: code.map(|code| code.suffix().to_owned()).unwrap_or_default(),
            design: design.clone(),
            consumer_id: is_for_buyer.then_some(purchase.consumer_id),
        },
    };
    gift_cards::insert(conn, &card).await?;
    if is_for_buyer {
        credit(conn, purchase, account, now).await?;
    } else {
        postings::post_purchase(conn, purchase, account, now).await?;
        let delay = deliver_at.duration_since(now).max(SignedDuration::ZERO);
        deliveries::insert(conn, id, delay.unsigned_abs()).await?;
    }
    outbox::append(conn, convert::gift_card_issued(purchase, id, now)).await?;
    Ok(balance_id(account))
}

async fn issue_company_card(
    conn: &mut PgConnection,
    purchase: &Purchase,
    company_id: CompanyId,
    company_name: &str,
    now: Timestamp,
) -> Result<BalanceId, InternalError> {
    let consumer_id = purchase.consumer_id;
    let existing = company_cards::list(conn, consumer_id, Some(company_id)).await?;
    let card = match existing.into_iter().next() {
        Some(card) => card,
        None => open_company_card(conn, purchase, company_id, company_name, now).await?,
    };
    credit(conn, purchase, account_id(card.balance_id), now).await?;
    outbox::append(conn, convert::gift_card_issued(purchase, card.id, now)).await?;
    Ok(card.balance_id)
}

/// A concurrent purchase may open the card at the same time: the second insert finds the first.
async fn open_company_card(
    conn: &mut PgConnection,
    purchase: &Purchase,
    company_id: CompanyId,
    company_name: &str,
    now: Timestamp,
) -> Result<CompanyCard, InternalError> {
    let id = GiftCardId::new(now);
    let account = accounts::open_card(conn, COMPANY_CARD, id, now).await?;
    let card = CompanyCard {
        id,
        company_id,
        company_name: company_name.to_owned(),
        balance_id: balance_id(account),
        is_active: true,
    };
    company_cards::insert(conn, &card, purchase.consumer_id, now).await?;
    let cards = company_cards::list(conn, purchase.consumer_id, Some(company_id)).await?;
    cards
        .into_iter()
        .next()
        .ok_or_else(|| InternalError::invariant_violated("company card not found after its insert"))
}
