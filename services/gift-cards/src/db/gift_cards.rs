//! Gift cards.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::InternalError;
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, GiftCardId, PurchaseId};

use crate::domain::gift_card::{GiftCard, NewGiftCard};

struct Row {
    id: GiftCardId,
    kind: String,
    balance_id: BalanceId,
    code_suffix: String,
    design: String,
    consumer_id: Option<ConsumerId>,
}

impl TryFrom<Row> for GiftCard {
    type Error = InternalError;

    fn try_from(row: Row) -> Result<Self, InternalError> {
        Ok(Self {
            id: row.id,
            kind: row.kind.parse().map_err(InternalError::invariant_violated)?,
            balance_id: row.balance_id,
            code_suffix: row.code_suffix,
            design: row.design,
            consumer_id: row.consumer_id,
        })
    }
}

/// Inserts a card. Does nothing if it exists.
pub async fn insert(conn: &mut PgConnection, new: &NewGiftCard) -> sqlx::Result<()> {
    let card = &new.card;
    sqlx::query!(
        "INSERT INTO gift_cards (id, kind, balance_id, code_hash, pin_hash, code_suffix, design, consumer_id, purchase_id,
           issued_at, linked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT ON CONSTRAINT gift_cards_pkey DO NOTHING",
        card.id.uuid(),
        card.kind.as_str(),
        card.balance_id.uuid(),
        new.code_hash,
        new.pin_hash,
        card.code_suffix,
        card.design,
        card.consumer_id.map(ConsumerId::uuid),
        new.purchase_id.map(PurchaseId::uuid),
        new.issued_at.to_sqlx(),
        card.consumer_id.map(|_| new.issued_at.to_sqlx()) as _,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Returns the cards in the consumer's wallet, newest first.
pub async fn list(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<Vec<GiftCard>, InternalError> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, kind, balance_id, code_suffix, design, consumer_id FROM gift_cards
         WHERE consumer_id = $1 ORDER BY linked_at DESC, id DESC",
        consumer_id.uuid(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(GiftCard::try_from).collect()
}

pub async fn find(conn: &mut PgConnection, id: GiftCardId) -> Result<Option<GiftCard>, InternalError> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, kind, balance_id, code_suffix, design, consumer_id FROM gift_cards WHERE id = $1",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(GiftCard::try_from).transpose()
}

/// A card that was found by its code, locked until the transaction ends.
#[derive(Debug)]
pub struct FoundCard {
    pub id: GiftCardId,
    pub kind: String,
    pub pin_hash: Option<Vec<u8>>,
    pub consumer_id: Option<ConsumerId>,
    pub is_canceled: bool,
}

pub async fn lock_by_code(conn: &mut PgConnection, code_hash: &[u8]) -> sqlx::Result<Option<FoundCard>> {
    sqlx::query_as!(
        FoundCard,
        r#"SELECT id, kind, pin_hash, consumer_id, canceled_at IS NOT NULL AS "is_canceled!"
           FROM gift_cards WHERE code_hash = $1 FOR NO KEY UPDATE"#,
        code_hash,
    )
    .fetch_optional(conn)
    .await
}

/// Adds a locked card to the consumer's wallet.
pub async fn link(
    conn: &mut PgConnection,
    id: GiftCardId,
    consumer_id: ConsumerId,
    at: Timestamp,
) -> Result<(), InternalError> {
    let updated = sqlx::query!(
        "UPDATE gift_cards SET consumer_id = $2, linked_at = $3
         WHERE id = $1 AND consumer_id IS NULL AND canceled_at IS NULL",
        id.uuid(),
        consumer_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    match updated.rows_affected() {
        1 => Ok(()),
        _ => Err(InternalError::invariant_violated(format!(
            "gift card {id} was linked concurrently"
        ))),
    }
}

/// Cancels a card: it cannot be redeemed later, and its message is not sent.
pub async fn cancel(conn: &mut PgConnection, id: GiftCardId, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH canceled AS (UPDATE gift_cards SET canceled_at = coalesce(canceled_at, $2) WHERE id = $1)
         DELETE FROM gift_card_deliveries WHERE gift_card_id = $1",
        id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Locks the card of a purchase.
pub async fn lock(conn: &mut PgConnection, id: GiftCardId) -> sqlx::Result<()> {
    sqlx::query!(
        "SELECT id FROM gift_cards WHERE id = $1 FOR NO KEY UPDATE",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
    .map(drop)
}

/// Removes all cards from the wallet of a removed consumer, and cancels them.
pub async fn unlink_all(conn: &mut PgConnection, consumer_id: ConsumerId, at: Timestamp) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE gift_cards SET consumer_id = NULL, canceled_at = $2 WHERE consumer_id = $1",
        consumer_id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await
    .map(drop)
}
