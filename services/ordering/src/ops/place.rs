//! Places an order: a saga keyed by the order's id (architecture, "Place an order").

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::{
    Code, Fault, Refusal,
    caller::Caller,
    grpc::deadline,
    idempotency::{self, Earlier, Key},
};
use prost::Message;
use proto::{
    giftcards::v1::{GetWalletRequest, gift_cards_client::GiftCardsClient},
    ordering::v1 as pb,
    payments::v1::{GetPaymentMethodRequest, payments_client::PaymentsClient},
};
use sqlx::types::Json;
use types::{ConsumerId, OrderId, StoreId};

use crate::{
    Ordering, convert,
    db::{
        history,
        orders::{self, Row},
    },
    domain::{
        cart::Tender,
        order::{Actor, Status},
    },
    ops::{
        answer::Answer,
        carry_on, confirm,
        gather::{self, Gathered},
        price::{self, PriceError, Priced},
        read,
    },
};

const OPERATION: &str = "place_order";
const LONGEST_KEY: usize = 200;
const LONGEST_NAME: usize = 40;
const POLL: Duration = Duration::from_millis(50);

/// Why an order was not placed.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The cart has no price.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// A rule says no: something sold out, the price or the promise moved, the payment was declined, …
    #[error(transparent)]
    Refused(Refusal),
    /// Something broke. What was begun is closed by recovery; the same key tells what became of it.
    #[error(transparent)]
    Fault(#[from] Fault),
}

kit::fault_from!(PlaceError);

impl From<PlaceError> for Refusal {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Price(error) => error.into(),
            PlaceError::Refused(refusal) => refusal,
            PlaceError::Fault(fault) => fault.into(),
        }
    }
}

fn refused<T>(code: Code, reason: &'static str, message: &'static str) -> Result<T, PlaceError> {
    Err(PlaceError::Refused(Refusal::new(code, reason, message)))
}

/// Places the order that a consumer has confirmed. Idempotent per consumer and key: however often and wherever it is
/// asked, there is one order and one answer. An order that waits for the consumer's authentication is carried on.
///
/// # Errors
/// [`PlaceError`]; nothing is held for an order that was not placed.
pub async fn place(
    cx: &Ordering,
    caller: &Caller,
    consumer: ConsumerId,
    request: pb::PlaceOrderRequest,
) -> Result<pb::Order, PlaceError> {
    if request.idempotency_key.is_empty() || request.idempotency_key.len() > LONGEST_KEY {
        return refused(
            Code::Malformed,
            "IDEMPOTENCY_KEY_MISSING",
            "An idempotency key of up to 200 characters is needed.",
        );
    }
    let hash = hash(&request);
    let scope = consumer.to_string();
    let key = Key {
        scope: &scope,
        operation: OPERATION,
        key: &request.idempotency_key,
    };
    match earlier(cx, key, &hash).await? {
        Earlier::None => {}
        Earlier::Mismatch => return mismatch(),
        Earlier::Finished(bytes) => return answered(&bytes),
        Earlier::Running => return follow(cx, consumer, key, &hash).await,
    }
    let prepared = match prepare(cx, caller, consumer, &request).await {
        Ok(prepared) => prepared,
        Err(error) => {
            // An equal call that began meanwhile may have taken what is missing here: its answer is the one.
            return match earlier(cx, key, &hash).await? {
                Earlier::None => Err(error),
                _ => follow(cx, consumer, key, &hash).await,
            };
        }
    };
    let Some(row) = begin(cx, key, &hash, &prepared).await? else {
        return follow(cx, consumer, key, &hash).await;
    };
    kit::fault_point::reach("place.begun");
    // On a task of its own: a caller who goes away does not stop it half-way, and shut-down waits for it.
    let own = cx.clone();
    let work = async move { deadline::within(own.rules.saga(), run(&own, row)).await };
    match cx.process.spawn(work).await {
        Ok(answer) => answer,
        Err(panic) => Err(Fault::broken(panic).into()),
    }
}

/// What an earlier call under this key left; keeps no connection while others are asked.
async fn earlier(cx: &Ordering, key: Key<'_>, hash: &[u8]) -> Result<Earlier, PlaceError> {
    let mut conn = cx.pool.acquire().await?;
    Ok(idempotency::find(&mut conn, key, hash).await?)
}

/// The hash of everything that was asked, but for the key.
fn hash(request: &pb::PlaceOrderRequest) -> Vec<u8> {
    let asked = pb::PlaceOrderRequest {
        idempotency_key: String::new(),
        ..request.clone()
    };
    idempotency::hash(&asked.encode_to_vec())
}

fn mismatch<T>() -> Result<T, PlaceError> {
    refused(
        Code::Conflict,
        "IDEMPOTENCY_KEY_REUSED",
        "This key was used for another order.",
    )
}

fn answered(bytes: &[u8]) -> Result<pb::Order, PlaceError> {
    match Answer::decode(bytes)? {
        Answer::Placed(order) => Ok(*order),
        Answer::Refused(refusal) => Err(PlaceError::Refused(refusal)),
    }
}

/// Waits for whoever works under this key, until the caller's deadline.
async fn follow(
    cx: &Ordering,
    consumer: ConsumerId,
    key: Key<'_>,
    hash: &[u8],
) -> Result<pb::Order, PlaceError> {
    let patience = deadline::left_to_answer().unwrap_or(deadline::USUAL);
    let end = tokio::time::Instant::now() + patience;
    loop {
        let mut conn = cx.pool.acquire().await?;
        match idempotency::find(&mut conn, key, hash).await? {
            Earlier::Finished(bytes) => return answered(&bytes),
            Earlier::Mismatch => return mismatch(),
            Earlier::Running | Earlier::None => {}
        }
        if let Some(row) = orders::find_by_key(&mut conn, consumer, key.key).await?
            && !row.client_secret.is_empty()
        {
            drop(conn);
            return carry_on::carry_on(cx, row.order_id()).await;
        }
        drop(conn);
        if tokio::time::Instant::now() + POLL >= end {
            return Err(PlaceError::Refused(Refusal::unavailable()));
        }
        tokio::time::sleep(POLL).await;
    }
}

/// What is known before anything is written.
struct Prepared {
    row: Row,
}

/// Prices again, checks what was agreed to, and that what pays is the caller's own. Writes nothing.
async fn prepare(
    cx: &Ordering,
    caller: &Caller,
    consumer: ConsumerId,
    request: &pb::PlaceOrderRequest,
) -> Result<Prepared, PlaceError> {
    let cart = request.cart.as_ref().ok_or(PriceError::Malformed("cart"))?;
    let asked = request
        .tender
        .as_ref()
        .ok_or(PriceError::Malformed("paymentMethod"))?;
    let Some(tender) = convert::tender(asked) else {
        return refused(
            Code::Rule,
            "TENDER_UNSUPPORTED",
            "This way to pay is not available for orders yet.",
        );
    };
    let expected = request
        .expected_total
        .as_ref()
        .ok_or(PriceError::Malformed("expectedTotal"))?
        .minor_units;
    let expected_ready_at: Timestamp = request
        .expected_ready_at
        .parse()
        .map_err(|_| PriceError::Malformed("expectedReadyAt"))?;
    let (priced, ()) = tokio::try_join!(
        async { Ok::<_, PlaceError>(price::price(cx, consumer, cart).await?) },
        check_tender(cx, caller, tender, &asked.payment_method_id),
    )?;
    if let Some(problem) = priced.problems.first() {
        let refusal = Refusal::new(Code::Rule, problem.reason.clone(), problem.message.clone());
        return Err(PlaceError::Refused(
            refusal.with_field(format!("cart.lines.{}", problem.line_id)),
        ));
    }
    if let Some(promo) = priced.promo.as_ref().filter(|promo| !promo.reason.is_empty()) {
        let refusal = Refusal::new(Code::Rule, promo.reason.clone(), promo.message.clone());
        return Err(PlaceError::Refused(refusal.with_field("cart.promoCode")));
    }
    if priced.totals.total.minor_units() > expected {
        return moved(
            "PRICE_MOVED",
            "The price has changed. Please look at the new total.",
            priced,
        );
    }
    let not_after = expected_ready_at + Duration::from_secs(cx.rules.order_promise_slack_seconds);
    if priced.pickup_at.is_none() && priced.ready_at > not_after {
        return moved(
            "PROMISE_MOVED",
            "This order would be ready later than you were told.",
            priced,
        );
    }
    let row = new_row(cx, consumer, request, priced, tender, not_after)?;
    Ok(Prepared { row })
}

/// The consumer has to agree to the new quote first; it comes with the refusal.
fn moved<T>(reason: &'static str, message: &'static str, priced: Priced) -> Result<T, PlaceError> {
    let quote = hex::encode(priced.into_quote().encode_to_vec());
    let data = serde_json::json!({ "quote": quote }).to_string();
    Err(PlaceError::Refused(
        Refusal::new(Code::Conflict, reason, message).with_data(data),
    ))
}

/// Refuses a payment method or balance that is not the caller's own, before anything is written.
async fn check_tender(
    cx: &Ordering,
    caller: &Caller,
    tender: Tender,
    method: &str,
) -> Result<(), PlaceError> {
    let unknown = || {
        refused(
            Code::Rule,
            "PAYMENT_METHOD_UNKNOWN",
            "We do not know this payment method.",
        )
    };
    match tender {
        Tender::Card | Tender::Bank => {
            if method.is_empty() {
                return refused(
                    Code::Rule,
                    "PAYMENT_METHOD_REQUIRED",
                    "Payment method is required",
                );
            }
            let request = GetPaymentMethodRequest {
                payment_method_id: method.to_owned(),
            };
            let found = PaymentsClient::new(cx.clients.payments_for(caller))
                .get_payment_method(request)
                .await;
            match found.map_err(|status| Refusal::from_status(&status)) {
                Ok(_) => Ok(()),
                Err(refusal)
                    if matches!(refusal.code, Code::NotFound | Code::Malformed | Code::Forbidden) =>
                {
                    unknown()
                }
                Err(refusal) => Err(PlaceError::Refused(refusal)),
            }
        }
        Tender::JoePass if method.is_empty() => Ok(()),
        Tender::JoePass => {
            let wallet = GiftCardsClient::new(cx.clients.gift_cards_for(caller))
                .get_wallet(GetWalletRequest {})
                .await?;
            let own = wallet
                .into_inner()
                .balances
                .into_iter()
                .any(|balance| balance.balance_id == method);
            if own { Ok(()) } else { unknown() }
        }
    }
}

fn new_row(
    cx: &Ordering,
    consumer: ConsumerId,
    request: &pb::PlaceOrderRequest,
    priced: Priced,
    tender: Tender,
    not_after: Timestamp,
) -> Result<Row, PlaceError> {
    let cart = request.cart.clone().unwrap_or_default();
    let now = cx.clock.now();
    let store: StoreId = priced.store.store_id.parse().map_err(Fault::broken)?;
    let cart_id = if cart.cart_id.is_empty() {
        request.idempotency_key.clone()
    } else {
        cart.cart_id.clone()
    };
    let totals = priced.totals;
    Ok(Row {
        id: OrderId::new(now).uuid(),
        consumer_id: consumer.uuid(),
        store_id: store.uuid(),
        cart_id,
        status: Status::PaymentPending.as_str().to_owned(),
        version: 1,
        idempotency_key: request.idempotency_key.clone(),
        store_address: format!("{}, {}", priced.store.street, priced.store.city),
        store_name: priced.store.name,
        time_zone: priced.store.time_zone,
        lines: Json(priced.lines),
        currency: totals.total.currency().code().to_owned(),
        subtotal: totals.subtotal.minor_units(),
        discount: totals.discount.minor_units(),
        tax: totals.tax.minor_units(),
        tip: totals.tip.minor_units(),
        total: totals.total.minor_units(),
        tax_rate_ppm: priced.store.tax_rate_ppm,
        promo_code: cart.promo_code.clone(),
        points: totals.points,
        tender: tender.as_str().to_owned(),
        payment_method_id: request
            .tender
            .as_ref()
            .map(|tender| tender.payment_method_id.clone())
            .unwrap_or_default(),
        pickup: convert::pickup(cart.pickup()).as_str().to_owned(),
        vehicle: shortened(&request.vehicle),
        pickup_name: shortened(&request.pickup_name),
        make_seconds: i32::try_from(priced.make_seconds).map_err(Fault::broken)?,
        pickup_at: priced.pickup_at.map(ToSqlx::to_sqlx),
        ready_at: priced.ready_at.to_sqlx(),
        start_at: now.to_sqlx(),
        not_after: not_after.to_sqlx(),
        created_at: now.to_sqlx(),
        placed_at: None,
        arrived_at: None,
        reason: String::new(),
        message: String::new(),
        epoch: 1,
        client_secret: String::new(),
    })
}

fn shortened(text: &str) -> String {
    text.trim().chars().take(LONGEST_NAME).collect()
}

/// One transaction: the key and the order. From here on there is a row to recover. None: somebody has the key.
async fn begin(
    cx: &Ordering,
    key: Key<'_>,
    hash: &[u8],
    prepared: &Prepared,
) -> Result<Option<Row>, PlaceError> {
    let row = &prepared.row;
    let now = row.created_at.to_jiff();
    let mut tx = cx.pool.begin().await?;
    if !idempotency::start(&mut tx, key, hash).await? {
        return Ok(None);
    }
    match orders::insert(&mut tx, row, now + cx.rules.saga()).await {
        Err(sqlx::Error::Database(error)) if error.constraint() == Some("orders_cart_key") => {
            return refused(
                Code::Conflict,
                "CART_ORDERED",
                "This cart was ordered already. Have a look at your orders.",
            );
        }
        outcome => outcome?,
    }
    history::append(
        &mut tx,
        row.order_id(),
        row.version,
        Status::PaymentPending,
        now,
        Actor::Consumer,
    )
    .await?;
    tx.commit().await?;
    Ok(Some(row.clone()))
}

/// The saga, once there is a row: gather what the order needs, then one transaction either way.
async fn run(cx: &Ordering, row: Row) -> Result<pb::Order, PlaceError> {
    tracing::Span::current().record("order_id", row.order_id().to_string());
    match gather::gather(cx, &row).await {
        Ok(Gathered::Everything(row)) => {
            kit::fault_point::reach("place.gathered");
            confirm::confirm(cx, &row).await
        }
        Ok(Gathered::AwaitsAction { row, client_secret }) => await_action(cx, &row, &client_secret).await,
        Err(error) => confirm::give_up(cx, &row, error).await,
    }
}

/// Leaves the order to the consumer's authentication. An answer, not a failure.
pub async fn await_action(cx: &Ordering, row: &Row, client_secret: &str) -> Result<pb::Order, PlaceError> {
    let until = row.created_at.to_jiff() + Duration::from_secs(cx.rules.order_authentication_seconds);
    let mut conn = cx.pool.acquire().await?;
    orders::await_action(&mut conn, row, client_secret, until).await?;
    let row = orders::find(&mut conn, row.order_id())
        .await?
        .ok_or_else(|| Fault::broken("an order vanished"))?;
    Ok(read::with_history(&mut conn, row).await?)
}
