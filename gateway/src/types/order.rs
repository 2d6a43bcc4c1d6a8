//! Orders: placing, following, and looking back.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cart::Cart;
use super::money::Money;
use super::payment::ProviderScript;
use super::present;
use super::quote::{Eta, OrderLine};
use super::words::{Actor, OrderStatus, PaymentType, Pickup};

/// Places the order that the consumer has confirmed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceOrderRequest {
    /// What to make.
    pub cart: Cart,
    /// What to pay with.
    pub payment_method: PaymentChoice,
    /// New whenever cart, payment, tip or time changes, or after a final refusal; the same after a timeout or 5xx.
    pub idempotency_key: String,
    /// What the consumer agreed to, from the quote shown.
    pub expected_total: Money,
    /// The promise that the consumer agreed to.
    #[schema(format = DateTime)]
    pub expected_ready_at: String,
    /// For curbside.
    pub vehicle: Option<String>,
    /// What to call out at the counter, as a rule the first name.
    pub pickup_name: Option<String>,
}

impl From<PlaceOrderRequest> for ordering::PlaceOrderRequest {
    fn from(request: PlaceOrderRequest) -> Self {
        Self {
            cart: Some(request.cart.into()),
            tender: Some(request.payment_method.into()),
            idempotency_key: request.idempotency_key,
            expected_total: Some(request.expected_total.into()),
            expected_ready_at: request.expected_ready_at,
            vehicle: request.vehicle.unwrap_or_default(),
            pickup_name: request.pickup_name.unwrap_or_default(),
        }
    }
}

/// A payment method chosen for an order.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentChoice {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: PaymentType,
    /// Its id; the balance's id for joebucks.
    #[serde(default)]
    #[schema(required)]
    pub payment_method_id: String,
}

impl From<PaymentChoice> for ordering::Tender {
    fn from(choice: PaymentChoice) -> Self {
        Self {
            kind: ordering::TenderKind::from(choice.kind).into(),
            payment_method_id: choice.payment_method_id,
        }
    }
}

impl From<ordering::Tender> for PaymentChoice {
    fn from(tender: ordering::Tender) -> Self {
        Self {
            kind: tender.kind().into(),
            payment_method_id: tender.payment_method_id,
        }
    }
}

/// An order, whole: what each change of the live stream carries too.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// Its id.
    pub order_id: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// Grows with each change; drop what is older than what you have.
    pub version: i64,
    /// Where it is made.
    pub store_id: String,
    /// The store's name.
    pub store_name: String,
    /// The store's address.
    pub store_address: String,
    /// IANA name of the store's time zone.
    pub time_zone: String,
    /// What is made.
    pub lines: Vec<OrderLine>,
    /// Lines together.
    pub subtotal: Money,
    /// What the promo took off.
    pub discount: Money,
    /// On the subtotal less the discount.
    pub tax: Money,
    /// For the baristas.
    pub tip: Money,
    /// Paid, or to pay.
    pub total: Money,
    /// Parts per million.
    pub tax_rate_ppm: i64,
    /// Null without.
    #[schema(required)]
    pub promo_code: Option<String>,
    /// Paid with.
    #[schema(required)]
    pub payment_method: Option<PaymentChoice>,
    /// How it is picked up.
    pub pickup: Pickup,
    /// For curbside.
    #[schema(required)]
    pub vehicle: Option<String>,
    /// When it is ready.
    #[schema(required)]
    pub eta: Option<Eta>,
    /// When the store got it; null before.
    #[schema(required, format = DateTime)]
    pub placed_at: Option<String>,
    /// When it came to be.
    #[schema(required, format = DateTime)]
    pub created_at: Option<String>,
    /// Every change, oldest first.
    pub history: Vec<StatusChange>,
    /// Why it was rejected, cancelled or failed, for code.
    #[schema(required)]
    pub reason: Option<String>,
    /// The same for the person.
    #[schema(required)]
    pub message: Option<String>,
    /// Set while PaymentPending waits for the consumer's authentication: hand it to the provider's script.
    #[schema(required)]
    pub client_secret: Option<String>,
    /// When the consumer said "I'm here".
    #[schema(required, format = DateTime)]
    pub arrived_at: Option<String>,
    /// What it earns or earned.
    pub points: i64,
    /// When the making starts.
    #[schema(required, format = DateTime)]
    pub start_at: Option<String>,
    /// Called out at the counter.
    #[schema(required)]
    pub pickup_number: Option<String>,
    /// Called out with it.
    #[schema(required)]
    pub pickup_name: Option<String>,
}

impl From<ordering::Order> for Order {
    fn from(order: ordering::Order) -> Self {
        Self {
            status: order.status().into(),
            pickup: order.pickup().into(),
            order_id: order.order_id,
            version: order.version,
            store_id: order.store_id,
            store_name: order.store_name,
            store_address: order.store_address,
            time_zone: order.time_zone,
            lines: order.lines.into_iter().map(OrderLine::from).collect(),
            subtotal: order.subtotal.into(),
            discount: order.discount.into(),
            tax: order.tax.into(),
            tip: order.tip.into(),
            total: order.total.into(),
            tax_rate_ppm: order.tax_rate_ppm,
            promo_code: present(order.promo_code),
            payment_method: order.tender.map(PaymentChoice::from),
            vehicle: present(order.vehicle),
            eta: order.eta.and_then(Eta::of),
            placed_at: present(order.placed_at),
            created_at: present(order.created_at),
            history: order.history.into_iter().map(StatusChange::from).collect(),
            reason: present(order.reason),
            message: present(order.message),
            client_secret: present(order.client_secret),
            arrived_at: present(order.arrived_at),
            points: order.points,
            start_at: present(order.start_at),
            pickup_number: present(order.pickup_number),
            pickup_name: present(order.pickup_name),
        }
    }
}

/// What placing answers: the order, and what asks its consumer where the bank has a question.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacedOrder {
    /// The order.
    #[serde(flatten)]
    pub order: Order,
    /// Set beside `clientSecret`: the script to hand that to.
    #[schema(required)]
    pub provider_script: Option<ProviderScript>,
}

/// One change of an order's status.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatusChange {
    /// What it became.
    pub status: OrderStatus,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    pub by: Actor,
}

impl From<ordering::StatusChange> for StatusChange {
    fn from(change: ordering::StatusChange) -> Self {
        Self {
            status: change.status().into(),
            by: change.by().into(),
            at: change.at,
        }
    }
}

/// Orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderList {
    /// Newest first.
    pub orders: Vec<Order>,
}

impl From<ordering::ListOrdersResponse> for OrderList {
    fn from(list: ordering::ListOrdersResponse) -> Self {
        Self {
            orders: list.orders.into_iter().map(Order::from).collect(),
        }
    }
}

/// The order that is under way, if there is one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActiveOrder {
    /// Null when none is.
    #[schema(required)]
    pub order: Option<Order>,
}

/// Names an order of the consumer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelOrderRequest {
    /// The order.
    pub order_id: String,
}

/// "I'm here."
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserArrivedRequest {
    /// The order.
    pub order_id: String,
    /// What to look for.
    pub vehicle: Option<String>,
}

/// One order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct OrderQuery {
    /// The order.
    pub order_id: String,
}

/// The order under way.
#[derive(Debug, Deserialize, IntoParams)]
#[expect(
    dead_code,
    reason = "the specification lists overrideDay; production ignores it"
)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct ActiveOrderQuery {
    /// This one, if it is still under way; the newest where absent.
    pub order_id: Option<String>,
    /// For trying out other days; ignored in production.
    pub override_day: Option<String>,
}

/// Whose orders.
#[derive(Debug, Deserialize, IntoParams)]
#[expect(
    dead_code,
    reason = "listed by the specification; the session guard compares it for every call"
)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct ConsumerQuery {
    /// The session's consumer, or absent: anybody else is refused.
    pub user_id: Option<String>,
}
