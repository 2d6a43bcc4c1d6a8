//! Receipts.

use proto::ordering::v1 as ordering;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::{OrderStatus, PaymentType, UnknownValue};
use super::money::Money;
use super::payment_choice::PaymentPart;
use super::quote::OrderLine;
use super::{non_empty, try_convert_all};

/// Selects the receipt of an order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReceiptQuery {
    pub(crate) order_id: String,
    /// The signature of the public link.
    pub(crate) signature: Option<String>,
    /// Requests the receipt without personal data, which requires the signature. Otherwise the order must belong to the
    /// signed-in consumer.
    #[serde(default)]
    pub(crate) is_receipt_public_page: bool,
}

/// The receipt of an order that was placed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Receipt {
    pub(crate) order_id: String,
    pub(crate) status: OrderStatus,
    pub(crate) store_id: String,
    pub(crate) store_name: String,
    pub(crate) store_address: String,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
    /// The public receipt has no notes.
    pub(crate) lines: Vec<OrderLine>,
    /// Sum of the lines before discount, tax and tip.
    pub(crate) subtotal: Money,
    pub(crate) discount: Money,
    /// On the subtotal less the discount.
    pub(crate) tax: Money,
    pub(crate) tip: Money,
    pub(crate) total: Money,
    /// Parts per million.
    pub(crate) tax_rate_ppm: i64,
    pub(crate) payment_type: PaymentType,
    /// What paid the total, stored value first. Empty if there was nothing to pay.
    pub(crate) payments: Vec<PaymentPart>,
    /// Whether money was taken. If the order was rejected or canceled: whether money was taken that is now refunded.
    pub(crate) is_charged: bool,
    #[schema(format = DateTime)]
    pub(crate) created_at: String,
    /// Null before the order is picked up.
    #[schema(required, format = DateTime)]
    pub(crate) completed_at: Option<String>,
    /// The signature of the public link; null on the public receipt.
    #[schema(required)]
    pub(crate) signature: Option<String>,
}

impl TryFrom<ordering::Receipt> for Receipt {
    type Error = UnknownValue;

    fn try_from(receipt: ordering::Receipt) -> Result<Self, UnknownValue> {
        Ok(Self {
            order_id: receipt.order_id,
            status: receipt.status.try_into()?,
            store_id: receipt.store_id,
            store_name: receipt.store_name,
            store_address: receipt.store_address,
            time_zone: receipt.time_zone,
            lines: try_convert_all(receipt.lines)?,
            subtotal: receipt.subtotal.try_into()?,
            discount: receipt.discount.try_into()?,
            tax: receipt.tax.try_into()?,
            tip: receipt.tip.try_into()?,
            total: receipt.total.try_into()?,
            tax_rate_ppm: receipt.tax_rate_ppm,
            payment_type: receipt.tender.try_into()?,
            payments: try_convert_all(receipt.parts)?,
            is_charged: receipt.is_charged,
            created_at: receipt.created_at,
            completed_at: non_empty(receipt.completed_at),
            signature: non_empty(receipt.signature),
        })
    }
}
