//! Postings of stored value. Each is idempotent by its reference.

use jiff::Timestamp;
use ledger::{AccountId, Overdraft, PostError, Posted, Posting, Unit};
use sqlx::PgConnection;
use types::{BalanceId, CounterPaymentId, Money, OrderId, PurchaseId};
use uuid::Uuid;

use super::accounts::{
    FAILED_REFUNDS, IN_FLIGHT, PHYSICAL_CARDS, PROMOTIONS, RECEIPTS, RETURNED_DEBITS, SALES, account_id,
};
use crate::domain::{
    hold::{HeldAmount, Movement},
    purchase::{Purchase, PurchaseKind},
};

/// Posts a movement of the order's held amount. Idempotent by order and movement. An amount of 0 has no posting.
pub async fn post_movement(
    conn: &mut PgConnection,
    order_id: OrderId,
    held: &HeldAmount,
    movement: Movement,
    at: Timestamp,
) -> Result<Option<Posted>, PostError> {
    if !held.amount.is_positive() {
        return Ok(None);
    }
    let balance = account_id(held.balance_id);
    let (step, kind, from, to) = match movement {
        Movement::Hold => ("hold", "order_held", balance, IN_FLIGHT),
        Movement::Capture => ("capture", "order_captured", IN_FLIGHT, SALES),
        Movement::Release => ("release", "order_released", IN_FLIGHT, balance),
        Movement::Refund => ("refund", "order_refunded", SALES, balance),
    };
    let posting = Posting {
        reference: &format!("order:{order_id}:{step}"),
        from,
        to,
        unit: Unit::Usd,
        amount: held.amount.minor_units(),
        overdraft: Overdraft::Forbidden,
        kind,
        explanation: &movement.title(held),
        subject: Some(order_id.uuid()),
        at,
    };
    ledger::post(conn, posting).await.map(Some)
}

/// Posts the refund of a part of a captured hold. Idempotent by order and refund.
pub async fn post_part_refund(
    conn: &mut PgConnection,
    order_id: OrderId,
    refund_id: &str,
    held: &HeldAmount,
    amount: Money,
    at: Timestamp,
) -> Result<Posted, PostError> {
    let transfer = Transfer {
        reference: &format!("order:{order_id}:refund:{refund_id}"),
        from: SALES,
        to: account_id(held.balance_id),
        amount,
        kind: "order_refunded",
        explanation: &Movement::Refund.title(held),
        subject: Some(order_id.uuid()),
    };
    transfer.post(conn, at).await
}

/// Posts the value of a purchase to an account. Returns the posting after which the account has all of it.
pub async fn post_purchase(
    conn: &mut PgConnection,
    purchase: &Purchase,
    to: AccountId,
    at: Timestamp,
) -> Result<Posted, PostError> {
    let (kind, explanation) = match purchase.item.kind() {
        PurchaseKind::TopUp if purchase.is_automatic => ("top_up", "Automatic reload"),
        PurchaseKind::TopUp => ("top_up", "Added funds"),
        PurchaseKind::GiftCard => ("gift_card", "Gift card"),
        PurchaseKind::CompanyCard => ("company_card", "Added to company card"),
    };
    let posted = Transfer {
        reference: &format!("purchase:{}", purchase.id),
        from: RECEIPTS,
        to,
        amount: purchase.amount,
        kind,
        explanation,
        subject: Some(purchase.id.uuid()),
    }
    .post(conn, at)
    .await?;
    if !purchase.bonus().is_positive() {
        return Ok(posted);
    }
    Transfer {
        reference: &format!("purchase:{}:bonus", purchase.id),
        from: PROMOTIONS,
        to,
        amount: purchase.bonus(),
        kind: "deal_bonus",
        explanation: "Bonus",
        subject: Some(purchase.id.uuid()),
    }
    .post(conn, at)
    .await
}

/// Posts the removal of value after the debit of its purchase was returned. Returns the last posting, or `None` if both
/// amounts are 0.
pub async fn post_return(
    conn: &mut PgConnection,
    purchase_id: PurchaseId,
    from: AccountId,
    (bonus, amount): (Money, Money),
    at: Timestamp,
) -> Result<Option<Posted>, PostError> {
    let mut posted = None;
    for (part, to, amount) in [("bonus", PROMOTIONS, bonus), ("amount", RECEIPTS, amount)] {
        if amount.is_positive() {
            let transfer = Transfer {
                reference: &format!("purchase:{purchase_id}:returned:{part}"),
                from,
                to,
                amount,
                kind: "purchase_returned",
                explanation: "Returned by your bank",
                subject: Some(purchase_id.uuid()),
            };
            posted = Some(transfer.post(conn, at).await?);
        }
    }
    Ok(posted)
}

/// Posts the part of a returned debit of which the value was already spent.
pub async fn post_shortfall(
    conn: &mut PgConnection,
    purchase_id: PurchaseId,
    amount: Money,
    at: Timestamp,
) -> Result<(), PostError> {
    if !amount.is_positive() {
        return Ok(());
    }
    let transfer = Transfer {
        reference: &format!("purchase:{purchase_id}:shortfall"),
        from: RETURNED_DEBITS,
        to: RECEIPTS,
        amount,
        kind: "purchase_shortfall",
        explanation: "Spent before the bank returned the debit",
        subject: Some(purchase_id.uuid()),
    };
    transfer.post(conn, at).await.map(drop)
}

/// Posts a refund that the payment provider could not pay out.
pub async fn post_failed_refund(
    conn: &mut PgConnection,
    refund_id: &str,
    to: AccountId,
    amount: Money,
    at: Timestamp,
) -> Result<Posted, PostError> {
    let transfer = Transfer {
        reference: &format!("failed-refund:{refund_id}"),
        from: FAILED_REFUNDS,
        to,
        amount,
        kind: "refund_credit",
        explanation: "Refund that your bank or card didn't accept",
        subject: None,
    };
    transfer.post(conn, at).await
}

/// Posts a payment at the counter.
pub async fn post_counter_payment(
    conn: &mut PgConnection,
    id: CounterPaymentId,
    balance_id: BalanceId,
    amount: Money,
    store_name: &str,
    at: Timestamp,
) -> Result<Posted, PostError> {
    let transfer = Transfer {
        reference: &format!("counter-payment:{id}"),
        from: account_id(balance_id),
        to: SALES,
        amount,
        kind: "counter_payment",
        explanation: &format!("Paid at {store_name}"),
        subject: Some(id.uuid()),
    };
    transfer.post(conn, at).await
}

/// Posts the value of a physical card.
pub async fn post_physical_card(
    conn: &mut PgConnection,
    to: AccountId,
    amount: Money,
    at: Timestamp,
) -> Result<Posted, PostError> {
    let transfer = Transfer {
        reference: &format!("physical-card:{}", to.uuid()),
        from: PHYSICAL_CARDS,
        to,
        amount,
        kind: "physical_card",
        explanation: "Physical gift card",
        subject: None,
    };
    transfer.post(conn, at).await
}

struct Transfer<'a> {
    reference: &'a str,
    from: AccountId,
    to: AccountId,
    amount: Money,
    kind: &'a str,
    explanation: &'a str,
    subject: Option<Uuid>,
}

impl Transfer<'_> {
    async fn post(&self, conn: &mut PgConnection, at: Timestamp) -> Result<Posted, PostError> {
        let posting = Posting {
            reference: self.reference,
            from: self.from,
            to: self.to,
            unit: Unit::Usd,
            amount: self.amount.minor_units(),
            overdraft: Overdraft::Forbidden,
            kind: self.kind,
            explanation: self.explanation,
            subject: self.subject,
            at,
        };
        ledger::post(conn, posting).await
    }
}
