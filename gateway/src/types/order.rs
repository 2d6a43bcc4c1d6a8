//! Orders.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::{Actor, OrderStatus, Pickup, UnknownValue};
use super::money::Money;
use super::payment_choice::{PaymentChoice, PaymentPart};
use super::quote::{Eta, OrderLine, eta};
use super::{non_empty, try_convert_all};

/// An order. Also the data of each `order` event of the live stream.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Order {
    pub(crate) order_id: String,
    /// Id of the cart that was ordered: the client's, or the server's if the client sent none.
    pub(crate) cart_id: String,
    pub(crate) status: OrderStatus,
    /// Increases with each change. Discard versions older than the one you have.
    pub(crate) version: i64,
    pub(crate) store_id: String,
    pub(crate) store_name: String,
    pub(crate) store_address: String,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
    pub(crate) lines: Vec<OrderLine>,
    /// Sum of the lines before discount, tax and tip.
    pub(crate) subtotal: Money,
    /// Discount of the promo code.
    pub(crate) discount: Money,
    /// On the subtotal less the discount.
    pub(crate) tax: Money,
    pub(crate) tip: Money,
    pub(crate) total: Money,
    /// Parts per million.
    pub(crate) tax_rate_ppm: i64,
    /// Null without a promo code.
    #[schema(required)]
    pub(crate) promo_code: Option<String>,
    #[schema(required)]
    pub(crate) payment_method: Option<PaymentChoice>,
    /// What pays the total, stored value first. Empty if there is nothing to pay, and for some orders of earlier releases.
    pub(crate) payments: Vec<PaymentPart>,
    pub(crate) pickup: Pickup,
    /// Description of the car, for curbside pickup.
    #[schema(required)]
    pub(crate) vehicle: Option<String>,
    /// Promised ready time.
    #[schema(required)]
    pub(crate) eta: Option<Eta>,
    /// When the store received the order; null before.
    #[schema(required, format = DateTime)]
    pub(crate) placed_at: Option<String>,
    #[schema(required, format = DateTime)]
    pub(crate) created_at: Option<String>,
    /// Status changes, oldest first.
    pub(crate) history: Vec<StatusChange>,
    /// Reason code of a rejected, canceled or failed order, or of an order that was made and not paid.
    #[schema(required)]
    pub(crate) reason: Option<String>,
    /// The reason as a sentence for the consumer.
    #[schema(required)]
    pub(crate) message: Option<String>,
    /// Set while `PaymentPending` waits for the consumer to authenticate: pass it to the payment provider's script.
    #[schema(required)]
    pub(crate) client_secret: Option<String>,
    /// The time that was promised first. If the store delayed the order, `eta` is later.
    #[schema(required, format = DateTime)]
    pub(crate) first_ready_at: Option<String>,
    /// When the order was ready; null before.
    #[schema(required, format = DateTime)]
    pub(crate) made_at: Option<String>,
    /// Why the store delayed the order, as a sentence for the consumer.
    #[schema(required)]
    pub(crate) delay_reason: Option<String>,
    /// Whether the consumer sent feedback about the order.
    pub(crate) is_rated: bool,
    /// When the consumer announced their arrival.
    #[schema(required, format = DateTime)]
    pub(crate) arrived_at: Option<String>,
    /// Points that the order earns or has earned.
    pub(crate) points: i64,
    /// When the store has to start making the order.
    #[schema(required, format = DateTime)]
    pub(crate) start_at: Option<String>,
    /// Number called out at the counter.
    #[schema(required)]
    pub(crate) pickup_number: Option<String>,
    /// Name called out at the counter.
    #[schema(required)]
    pub(crate) pickup_name: Option<String>,
    /// Whether money was taken. If the order was rejected or canceled: whether money was taken that is now refunded;
    /// otherwise a hold, if any, is released.
    pub(crate) is_charged: bool,
}

impl TryFrom<ordering::Order> for Order {
    type Error = UnknownValue;

    fn try_from(order: ordering::Order) -> Result<Self, UnknownValue> {
        Ok(Self {
            order_id: order.order_id,
            cart_id: order.cart_id,
            status: order.status.try_into()?,
            version: order.version,
            store_id: order.store_id,
            store_name: order.store_name,
            store_address: order.store_address,
            time_zone: order.time_zone,
            lines: try_convert_all(order.lines)?,
            subtotal: order.subtotal.try_into()?,
            discount: order.discount.try_into()?,
            tax: order.tax.try_into()?,
            tip: order.tip.try_into()?,
            total: order.total.try_into()?,
            tax_rate_ppm: order.tax_rate_ppm,
            promo_code: non_empty(order.promo_code),
            payment_method: order.tender.map(PaymentChoice::try_from).transpose()?,
            payments: try_convert_all(order.parts)?,
            pickup: order.pickup.try_into()?,
            vehicle: non_empty(order.vehicle),
            eta: eta(order.eta),
            placed_at: non_empty(order.placed_at),
            created_at: non_empty(order.created_at),
            history: try_convert_all(order.history)?,
            reason: non_empty(order.reason),
            message: non_empty(order.message),
            client_secret: non_empty(order.client_secret),
            first_ready_at: non_empty(order.first_ready_at),
            made_at: non_empty(order.made_at),
            delay_reason: non_empty(order.delay_reason),
            is_rated: order.is_rated,
            arrived_at: non_empty(order.arrived_at),
            points: order.points,
            start_at: non_empty(order.start_at),
            pickup_number: non_empty(order.pickup_number),
            pickup_name: non_empty(order.pickup_name),
            is_charged: order.is_charged,
        })
    }
}

/// A change of an order's status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatusChange {
    /// The status after the change.
    pub(crate) status: OrderStatus,
    #[schema(format = DateTime)]
    pub(crate) at: String,
    pub(crate) by: Actor,
    /// The new promised time if the store delayed the order, which does not change its status.
    #[serde(rename = "readyAt")]
    #[schema(required, format = DateTime)]
    pub(crate) ready_at: Option<String>,
}

impl TryFrom<ordering::StatusChange> for StatusChange {
    type Error = UnknownValue;

    fn try_from(change: ordering::StatusChange) -> Result<Self, UnknownValue> {
        Ok(Self {
            status: change.status.try_into()?,
            at: change.at,
            by: change.by.try_into()?,
            ready_at: non_empty(change.ready_at),
        })
    }
}

/// A list of orders.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OrderList {
    /// Newest first.
    pub(crate) orders: Vec<Order>,
}

impl TryFrom<ordering::ListOrdersResponse> for OrderList {
    type Error = UnknownValue;

    fn try_from(list: ordering::ListOrdersResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            orders: try_convert_all(list.orders)?,
        })
    }
}

/// The active order.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ActiveOrder {
    /// Null if no order is active.
    #[schema(required)]
    pub(crate) order: Option<Order>,
}

/// Cancels an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancelOrderRequest {
    pub(crate) order_id: String,
}

/// Notifies the store that the consumer has arrived.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserArrivedRequest {
    pub(crate) order_id: String,
    /// Description of the car, for curbside pickup.
    pub(crate) vehicle: Option<String>,
}

/// Selects an order of the consumer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderQuery {
    pub(crate) order_id: String,
}

/// Selects an active order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActiveOrderQuery {
    /// This order if it is active; the order promised first if absent.
    pub(crate) order_id: Option<String>,
    /// Only an order promised for this day in the store's time zone, for tests. Ignored in production, which is served over
    /// HTTPS.
    #[param(format = Date)]
    pub(crate) override_day: Option<String>,
}

/// The owner of the orders.
#[derive(Debug, Deserialize, IntoParams)]
#[expect(
    dead_code,
    reason = "listed by the specification; the session middleware checks it for every call"
)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsumerQuery {
    /// Must be the signed-in consumer if present.
    pub(crate) user_id: Option<String>,
}
