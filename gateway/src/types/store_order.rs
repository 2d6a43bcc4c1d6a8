//! Orders as their stores see them: what to make, for whom and when, and what to collect. Without prices and data of the cart,
//! which the staff do not need.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use serde::Serialize;
use utoipa::ToSchema;

use super::art::Art;
use super::enums::{ItemKind, OrderStatus, Pickup, UnknownValue};
use super::money::Money;
use super::order::StatusChange;
use super::quote::{Eta, eta};
use super::{convert_all, non_empty, try_convert_all};

/// An order as its store sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreOrder {
    pub(crate) order_id: String,
    pub(crate) status: OrderStatus,
    /// Increases with each change. Discard versions older than the one you have.
    pub(crate) version: i64,
    pub(crate) store_id: String,
    pub(crate) store_name: String,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
    pub(crate) lines: Vec<StoreOrderLine>,
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
    /// Status changes, oldest first.
    pub(crate) history: Vec<StatusChange>,
    /// Reason code of a rejected or canceled order, or of an order that was made and not paid.
    #[schema(required)]
    pub(crate) reason: Option<String>,
    /// The time that was promised first. If the store delayed the order, `eta` is later.
    #[schema(required, format = DateTime)]
    pub(crate) first_ready_at: Option<String>,
    /// When the order was ready; null before.
    #[schema(required, format = DateTime)]
    pub(crate) made_at: Option<String>,
    /// Why the store delayed the order, as a sentence for the consumer.
    #[schema(required)]
    pub(crate) delay_reason: Option<String>,
    /// When the consumer announced their arrival.
    #[schema(required, format = DateTime)]
    pub(crate) arrived_at: Option<String>,
    /// When the store has to start making the order.
    #[schema(required, format = DateTime)]
    pub(crate) start_at: Option<String>,
    /// Number called out at the counter.
    #[schema(required)]
    pub(crate) pickup_number: Option<String>,
    /// Name called out at the counter.
    #[schema(required)]
    pub(crate) pickup_name: Option<String>,
    /// Whether money was taken, so that the guest gets a refund if the order is rejected.
    pub(crate) is_charged: bool,
    /// Amount that the store has to collect. Set if the order was made and its charge failed.
    #[schema(required)]
    pub(crate) unpaid: Option<Money>,
}

impl TryFrom<ordering::Order> for StoreOrder {
    type Error = UnknownValue;

    fn try_from(order: ordering::Order) -> Result<Self, UnknownValue> {
        Ok(Self {
            order_id: order.order_id,
            status: order.status.try_into()?,
            version: order.version,
            store_id: order.store_id,
            store_name: order.store_name,
            time_zone: order.time_zone,
            lines: try_convert_all(order.lines)?,
            pickup: order.pickup.try_into()?,
            vehicle: non_empty(order.vehicle),
            eta: eta(order.eta),
            placed_at: non_empty(order.placed_at),
            history: try_convert_all(order.history)?,
            reason: non_empty(order.reason),
            first_ready_at: non_empty(order.first_ready_at),
            made_at: non_empty(order.made_at),
            delay_reason: non_empty(order.delay_reason),
            arrived_at: non_empty(order.arrived_at),
            start_at: non_empty(order.start_at),
            pickup_number: non_empty(order.pickup_number),
            pickup_name: non_empty(order.pickup_name),
            is_charged: order.is_charged,
            unpaid: order.unpaid.map(TryInto::try_into).transpose()?,
        })
    }
}

/// A line of an order, to be made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreOrderLine {
    pub(crate) line_id: String,
    pub(crate) item_id: String,
    pub(crate) item_name: String,
    pub(crate) size_name: String,
    pub(crate) kind: ItemKind,
    pub(crate) art: Art,
    pub(crate) quantity: u32,
    pub(crate) choices: Vec<StoreOrderChoice>,
    /// For the barista.
    pub(crate) note: String,
}

impl TryFrom<ordering::QuoteLine> for StoreOrderLine {
    type Error = UnknownValue;

    fn try_from(quoted: ordering::QuoteLine) -> Result<Self, UnknownValue> {
        let line = quoted.line.unwrap_or_default();
        Ok(Self {
            line_id: line.line_id,
            item_id: line.item_id,
            item_name: line.item_name,
            size_name: line.size_name,
            kind: line.kind.as_str().try_into()?,
            art: line.art.into(),
            quantity: line.quantity,
            choices: convert_all(line.choices),
            note: line.note,
        })
    }
}

/// A choice of a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreOrderChoice {
    pub(crate) modification_name: String,
    pub(crate) choice_id: String,
    pub(crate) choice_name: String,
    /// 0 for a default of the item that the consumer left out.
    pub(crate) quantity: u32,
    /// Effect in the drawing: "milk:oat".
    pub(crate) art_key: String,
    /// A default choice of the item; left out of summaries.
    pub(crate) is_default: bool,
}

impl From<stores::ResolvedChoice> for StoreOrderChoice {
    fn from(choice: stores::ResolvedChoice) -> Self {
        Self {
            modification_name: choice.modification_name,
            choice_id: choice.choice_id,
            choice_name: choice.choice_name,
            quantity: choice.quantity,
            art_key: choice.art_key,
            is_default: choice.is_default,
        }
    }
}
