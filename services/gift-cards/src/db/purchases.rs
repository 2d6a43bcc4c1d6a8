//! Purchases, one row per idempotency key.

use std::str::FromStr;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use sqlx::PgConnection;
use types::{BalanceId, CompanyId, ConsumerId, DealId, GiftCardId, Money, Page, PurchaseId};

use crate::domain::{
    charge::ClientSecret,
    purchase::{ChargeOutcome, Failure, Item, Purchase, PurchaseKind, PurchaseState},
    recipient::Recipient,
};

/// A row of the table.
struct Row {
    id: PurchaseId,
    consumer_id: ConsumerId,
    kind: String,
    state: String,
    epoch: i64,
    idempotency_key: String,
    request_hash: Vec<u8>,
    amount: i64,
    value: i64,
    deal_id: Option<DealId>,
    tender: String,
    payment_method_id: String,
    is_automatic: bool,
    balance_id: Option<BalanceId>,
    gift_card_id: Option<GiftCardId>,
    company_id: Option<CompanyId>,
    company_name: String,
    recipient_kind: Option<String>,
    recipient_address: String,
    recipient_name: String,
    gift_message: String,
    design: String,
    deliver_at: Option<jiff_sqlx::Timestamp>,
    error_code: String,
    reason: String,
    message: String,
    created_at: jiff_sqlx::Timestamp,
}

fn parse<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, InternalError> {
    text.parse().map_err(InternalError::invariant_violated)
}

/// Parses the event about a charge that a purchase stores.
pub(super) fn parse_outcome(text: Option<String>) -> Result<Option<ChargeOutcome>, InternalError> {
    text.map(|text| parse(&text)).transpose()
}

fn missing(column: &str) -> InternalError {
    InternalError::invariant_violated(format!("purchase without {column}"))
}

impl TryFrom<Row> for Purchase {
    type Error = InternalError;

    fn try_from(row: Row) -> Result<Self, InternalError> {
        let item = match parse(&row.kind)? {
            PurchaseKind::TopUp => Item::TopUp {
                balance_id: row.balance_id.ok_or_else(|| missing("balance_id"))?,
            },
            PurchaseKind::GiftCard => Item::GiftCard {
                id: row.gift_card_id.ok_or_else(|| missing("gift_card_id"))?,
                recipient: Recipient {
                    kind: parse(row.recipient_kind.as_deref().unwrap_or_default())?,
                    address: row.recipient_address,
                    name: row.recipient_name,
                },
                message: row.gift_message,
                design: row.design,
                deliver_at: row.deliver_at.ok_or_else(|| missing("deliver_at"))?.into(),
            },
            PurchaseKind::CompanyCard => Item::CompanyCard {
                company_id: row.company_id.ok_or_else(|| missing("company_id"))?,
                company_name: row.company_name,
            },
        };
        let failure = if row.reason.is_empty() {
            None
        } else {
            Some(Failure {
                code: parse(&row.error_code)?,
                reason: row.reason,
                message: row.message,
            })
        };
        Ok(Self {
            id: row.id,
            consumer_id: row.consumer_id,
            item,
            state: parse(&row.state)?,
            epoch: row.epoch,
            client_secret: ClientSecret::default(),
            idempotency_key: row.idempotency_key,
            request_hash: row.request_hash,
            amount: Money::usd(row.amount),
            value: Money::usd(row.value),
            deal_id: row.deal_id,
            tender: parse(&row.tender)?,
            payment_method_id: row.payment_method_id,
            is_automatic: row.is_automatic,
            balance_id: row.balance_id,
            failure,
            created_at: row.created_at.into(),
        })
    }
}

/// Inserts a purchase with a saga lease of this duration, by the database's clock.
///
/// # Errors
/// Violates `purchases_idempotency_key` if the consumer used the key for this kind of purchase before.
pub async fn insert(
    conn: &mut PgConnection,
    purchase: &Purchase,
    lease: std::time::Duration,
) -> sqlx::Result<()> {
    let (gift_card, recipient, company) = match &purchase.item {
        Item::TopUp { .. } => (None, None, None),
        Item::GiftCard {
            id,
            recipient,
            message,
            design,
            deliver_at,
        } => (Some((id, message, design, deliver_at)), Some(recipient), None),
        Item::CompanyCard {
            company_id,
            company_name,
        } => (None, None, Some((company_id, company_name))),
    };
    sqlx::query!(
        "INSERT INTO purchases (id, consumer_id, kind, state, epoch, lease_until, idempotency_key, request_hash, amount,
           value, deal_id, tender, payment_method_id, is_automatic, balance_id, gift_card_id, company_id, company_name,
           recipient_kind, recipient_address, recipient_name, gift_message, design, deliver_at, created_at)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
           $18, $19, $20, $21, $22, $23, $24, $25)",
        purchase.id.uuid(),
        purchase.consumer_id.uuid(),
        purchase.item.kind().as_str(),
        purchase.state.as_str(),
        purchase.epoch,
        lease.as_secs_f64(),
        purchase.idempotency_key,
        purchase.request_hash,
        purchase.amount.minor_units(),
        purchase.value.minor_units(),
        purchase.deal_id.map(DealId::uuid),
        purchase.tender.as_str(),
        purchase.payment_method_id,
        purchase.is_automatic,
        purchase.balance_id.map(BalanceId::uuid),
        gift_card.map(|(id, ..)| id.uuid()),
        company.map(|(id, _)| id.uuid()),
        company.map_or("", |(_, name)| name.as_str()),
        recipient.map(|recipient| recipient.kind.as_str()),
        recipient.map_or("", |recipient| recipient.address.as_str()),
        recipient.map_or("", |recipient| recipient.name.as_str()),
        gift_card.map_or("", |(_, message, ..)| message.as_str()),
        gift_card.map_or("", |(_, _, design, _)| design.as_str()),
        gift_card.map(|(.., deliver_at)| deliver_at.to_sqlx()) as _,
        purchase.created_at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

pub async fn find(conn: &mut PgConnection, id: PurchaseId) -> Result<Option<Purchase>, InternalError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, consumer_id, kind, state, epoch, idempotency_key, request_hash, amount, value, deal_id,
           tender, payment_method_id, is_automatic, balance_id, gift_card_id, company_id, company_name, recipient_kind,
           recipient_address, recipient_name, gift_message, design, deliver_at, error_code, reason, message, created_at
         FROM purchases WHERE id = $1",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Purchase::try_from).transpose()
}

/// Returns the purchase that a consumer began with a key.
pub async fn find_by_key(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    kind: PurchaseKind,
    idempotency_key: &str,
) -> Result<Option<Purchase>, InternalError> {
    let id = sqlx::query_scalar!(
        "SELECT id FROM purchases WHERE consumer_id = $1 AND kind = $2 AND idempotency_key = $3",
        consumer_id.uuid(),
        kind.as_str(),
        idempotency_key,
    )
    .fetch_optional(&mut *conn)
    .await?;
    match id {
        Some(id) => find(conn, id).await,
        None => Ok(None),
    }
}

/// Changes the state of a purchase if its state and epoch are still those that were read, and returns the event about the
/// charge that arrived since then. Returns `None`, and writes nothing, if another task changed it.
pub async fn advance(
    conn: &mut PgConnection,
    from: &Purchase,
    to: PurchaseState,
    failure: Option<&Failure>,
    at: Timestamp,
) -> Result<Option<Option<ChargeOutcome>>, InternalError> {
    let row = sqlx::query!(
        "UPDATE purchases SET state = $4, lease_until = NULL, client_secret = '', ended_at = $5, changed_at = now(),
           error_code = $6, reason = $7, message = $8,
           recipient_address = CASE WHEN $4 IN ('failed', 'returned') THEN '' ELSE recipient_address END,
           recipient_name = CASE WHEN $4 IN ('failed', 'returned') THEN '' ELSE recipient_name END,
           gift_message = CASE WHEN $4 IN ('failed', 'returned') THEN '' ELSE gift_message END
         WHERE id = $1 AND state = $2 AND epoch = $3 RETURNING charge_outcome",
        from.id.uuid(),
        from.state.as_str(),
        from.epoch,
        to.as_str(),
        (to != PurchaseState::Processing).then(|| at.to_sqlx()) as _,
        failure.map_or("", |failure| failure.code.as_str()),
        failure.map_or("", |failure| failure.reason.as_str()),
        failure.map_or("", |failure| failure.message.as_str()),
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| parse_outcome(row.charge_outcome)).transpose()
}

/// Records an event about the charge, unless a later one arrived before, and locks the purchase. Returns `None` if there is
/// no such purchase or the event changes nothing.
pub async fn record_charge_outcome(
    conn: &mut PgConnection,
    id: PurchaseId,
    outcome: ChargeOutcome,
    decline: Option<&Failure>,
) -> Result<Option<Purchase>, InternalError> {
    let current = sqlx::query_scalar!(
        "SELECT charge_outcome FROM purchases WHERE id = $1 FOR NO KEY UPDATE",
        id.uuid()
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(current) = current else {
        return Ok(None);
    };
    let current = parse_outcome(current)?;
    if current >= Some(outcome) {
        return Ok(None);
    }
    sqlx::query!(
        "UPDATE purchases SET charge_outcome = $2, decline_reason = $3, decline_message = $4 WHERE id = $1",
        id.uuid(),
        outcome.as_str(),
        decline.map_or("", |decline| decline.reason.as_str()),
        decline.map_or("", |decline| decline.message.as_str()),
    )
    .execute(&mut *conn)
    .await?;
    find(conn, id).await
}

/// Returns why the payment was declined, if an event about the charge reported it.
pub async fn find_decline(conn: &mut PgConnection, id: PurchaseId) -> sqlx::Result<Option<Failure>> {
    let row = sqlx::query!(
        "SELECT decline_reason, decline_message FROM purchases WHERE id = $1 AND decline_reason <> ''",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Failure::declined(row.decline_reason, row.decline_message)))
}

/// Sets the balance that received the value.
pub async fn set_balance(conn: &mut PgConnection, id: PurchaseId, balance_id: BalanceId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE purchases SET balance_id = $2 WHERE id = $1",
        id.uuid(),
        balance_id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Lists the purchases that added to the consumer's company cards, newest first. Without a company, of all companies.
pub async fn list_uploads(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
    page: Page,
) -> Result<Vec<Purchase>, InternalError> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT p.id, p.consumer_id, p.kind, p.state, p.epoch, p.idempotency_key, p.request_hash, p.amount,
           p.value, p.deal_id, p.tender, p.payment_method_id, p.is_automatic, p.balance_id, p.gift_card_id, p.company_id,
           p.company_name, p.recipient_kind, p.recipient_address, p.recipient_name, p.gift_message, p.design, p.deliver_at,
           p.error_code, p.reason, p.message, p.created_at
         FROM purchases p
         WHERE p.consumer_id = $1 AND p.state IN ('processing', 'completed', 'returned')
           AND (p.kind = 'company_card' AND ($2::uuid IS NULL OR p.company_id = $2)
                OR p.balance_id IN (SELECT c.balance_id FROM company_cards c
                                    WHERE c.consumer_id = $1 AND ($2::uuid IS NULL OR c.company_id = $2)))
         ORDER BY p.created_at DESC, p.id DESC LIMIT $3 OFFSET $4",
        consumer_id.uuid(),
        company_id.map(CompanyId::uuid),
        page.limit(),
        page.offset(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Purchase::try_from).collect()
}

/// Erases who received a gift card, once its message was sent.
pub async fn erase_recipient(conn: &mut PgConnection, id: PurchaseId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE purchases SET recipient_address = '', recipient_name = '', gift_message = '' WHERE id = $1",
        id.uuid()
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Erases the recipients and messages of a consumer's gift cards, except those that may still be delivered to others. A purchase that
/// has not ended fails later, which erases its recipient.
pub async fn erase_recipients(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE purchases SET recipient_address = '', recipient_name = '', gift_message = ''
         WHERE consumer_id = $1 AND (recipient_kind = 'self' AND state = 'completed' OR state IN ('failed', 'returned'))",
        consumer_id.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Assigns the ended purchases of a removed consumer to `replacement` and erases their personal data. A recipient is kept
/// until the message to them is sent.
pub async fn anonymize(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    replacement: ConsumerId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE purchases SET consumer_id = $2, payment_method_id = ''
         WHERE consumer_id = $1 AND state IN ('completed', 'failed', 'returned')",
        consumer_id.uuid(),
        replacement.uuid(),
    )
    .execute(conn)
    .await
    .map(drop)
}
