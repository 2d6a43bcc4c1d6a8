use proto::ordering::v1 as pb;

use super::{
    money, optional_timestamp,
    order::{status, tender, tender_part},
    quote::quote_line,
};
use crate::domain::{receipt::Receipt, tender::TenderPart};

/// The message has no field for personal data except the notes of the lines.
pub(crate) fn receipt(receipt: Receipt) -> pb::Receipt {
    let Receipt {
        order,
        completed_at,
        signature,
    } = receipt;
    pb::Receipt {
        order_id: order.id.to_string(),
        status: status(order.status).into(),
        store_id: order.store_id.to_string(),
        lines: order.lines.iter().map(quote_line).collect(),
        subtotal: Some(money(order.totals.subtotal)),
        discount: Some(money(order.totals.discount)),
        tax: Some(money(order.totals.tax)),
        tip: Some(money(order.totals.tip)),
        total: Some(money(order.totals.total)),
        tax_rate_ppm: order.tax_rate_ppm,
        tender: tender(order.tender).into(),
        parts: order.tender_parts().into_iter().map(receipt_part).collect(),
        is_charged: order.is_charged,
        created_at: order.created_at.to_string(),
        completed_at: optional_timestamp(completed_at),
        store_name: order.store_name,
        store_address: order.store_address,
        time_zone: order.time_zone,
        signature,
    }
}

fn receipt_part(part: TenderPart) -> pb::TenderPart {
    pb::TenderPart {
        payment_method_id: String::new(),
        ..tender_part(part)
    }
}
