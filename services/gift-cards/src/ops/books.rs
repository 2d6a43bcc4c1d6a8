//! The accounts of stored value and the movements between them.

use jiff::Timestamp;
use kit::InternalError;
use ledger::{AccountId, Overdraft, PostError, Posted, Posting, Side, Unit};
use proto::giftcards::v1::BalanceChanged;
use sqlx::PgConnection;
use types::{BalanceId, ConsumerId, Currency, OrderId};
use uuid::Uuid;

use crate::{
    db,
    domain::{Movement, Stake},
};

/// Where development's gifts come from.
pub const DEVELOPMENT: AccountId = AccountId::fixed(1);
/// What orders hold that no store has accepted.
pub const IN_FLIGHT: AccountId = AccountId::fixed(2);
/// What stores have accepted.
pub const SALES: AccountId = AccountId::fixed(3);
/// What consumers who were removed left behind.
pub const DEPARTED: AccountId = AccountId::fixed(4);

/// The kind of a consumer's JoePass account.
pub const JOEPASS: &str = "joepass";

/// A balance is the account that it is on.
pub const fn balance_id(account: AccountId) -> BalanceId {
    BalanceId::from_uuid(account.uuid())
}

/// The account that a balance is on.
pub fn account_id(balance: BalanceId) -> AccountId {
    AccountId::from(balance.uuid())
}

/// A consumer's JoePass account, opened on first use; `None` for a consumer who was removed.
pub async fn joepass(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    at: Timestamp,
) -> sqlx::Result<Option<AccountId>> {
    // An account that is found has an owner, so the consumer is here; removal takes the account's lock too.
    if let Some(account) = ledger::account::find(conn, JOEPASS, consumer.uuid(), Unit::Usd).await? {
        return Ok(Some(account));
    }
    if !db::consumers::enter(conn, consumer).await? {
        return Ok(None);
    }
    ledger::account::open(conn, JOEPASS, consumer.uuid(), Unit::Usd, at)
        .await
        .map(Some)
}

/// One movement of an order's stake.
struct Leg {
    /// Names it in its reference: an order has each leg once.
    name: &'static str,
    kind: &'static str,
    from: AccountId,
    to: AccountId,
}

/// Takes an order's stake from its balance, and says what is left on it.
pub async fn hold(
    conn: &mut PgConnection,
    order: OrderId,
    stake: &Stake,
    at: Timestamp,
) -> Result<Option<Side>, PostError> {
    let leg = Leg {
        name: "hold",
        kind: "order_held",
        from: account_id(stake.balance),
        to: IN_FLIGHT,
    };
    let posted = post_leg(conn, order, stake, leg, &stake.title, at).await?;
    Ok(posted.and_then(|posted| posted.from))
}

/// Carries out what a change of a hold's state means, and says what is on the balance where that changed.
pub async fn carry_out(
    conn: &mut PgConnection,
    order: OrderId,
    stake: &Stake,
    movement: Movement,
    at: Timestamp,
) -> Result<Option<Side>, PostError> {
    let balance = account_id(stake.balance);
    let leg = match movement {
        Movement::Capture => Leg {
            name: "capture",
            kind: "order_captured",
            from: IN_FLIGHT,
            to: SALES,
        },
        Movement::Release => Leg {
            name: "release",
            kind: "order_released",
            from: IN_FLIGHT,
            to: balance,
        },
        Movement::Refund => Leg {
            name: "refund",
            kind: "order_refunded",
            from: SALES,
            to: balance,
        },
    };
    let explanation = match movement {
        Movement::Capture => stake.title.clone(),
        Movement::Release | Movement::Refund => format!("Given back: {}", stake.title),
    };
    let posted = post_leg(conn, order, stake, leg, &explanation, at).await?;
    Ok(posted.and_then(|posted| posted.to))
}

/// An order that costs nothing moves nothing.
async fn post_leg(
    conn: &mut PgConnection,
    order: OrderId,
    stake: &Stake,
    leg: Leg,
    explanation: &str,
    at: Timestamp,
) -> Result<Option<Posted>, PostError> {
    if !stake.amount.is_positive() {
        return Ok(None);
    }
    let posting = Posting {
        reference: &format!("order:{order}:{}", leg.name),
        from: leg.from,
        to: leg.to,
        unit: Unit::Usd,
        amount: stake.amount.minor_units(),
        overdraft: Overdraft::Refused,
        kind: leg.kind,
        explanation,
        subject: Some(order.uuid()),
        at,
    };
    ledger::post(conn, posting).await.map(Some)
}

/// Value from a system account for a consumer: once for each reference.
pub async fn give(
    conn: &mut PgConnection,
    to: AccountId,
    cents: i64,
    reference: &str,
    explanation: &str,
    at: Timestamp,
) -> Result<Posted, PostError> {
    let posting = Posting {
        reference,
        from: DEVELOPMENT,
        to,
        unit: Unit::Usd,
        amount: cents,
        overdraft: Overdraft::Refused,
        kind: "gift",
        explanation,
        subject: None,
        at,
    };
    ledger::post(conn, posting).await
}

/// Tells the others what is on a balance now.
pub async fn announce(
    conn: &mut PgConnection,
    consumer: Uuid,
    balance: BalanceId,
    side: Side,
    at: Timestamp,
) -> sqlx::Result<()> {
    let fact = BalanceChanged {
        consumer_id: ConsumerId::from_uuid(consumer).to_string(),
        balance_id: balance.to_string(),
        available_minor_units: side.balance,
        currency: Currency::Usd.code().to_owned(),
        at: at.to_string(),
    };
    kit::outbox::append(conn, &balance.to_string(), side.line, at, &fact)
        .await
        .map(drop)
}

/// A posting that fails for no reason of the consumer's.
pub fn fault(error: PostError) -> InternalError {
    match error {
        PostError::Database(error) => error.into(),
        other => InternalError::broken(format!("ledger: {other}")),
    }
}
