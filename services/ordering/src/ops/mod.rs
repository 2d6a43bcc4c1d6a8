//! Use cases: one per file, named after its gRPC method.

pub mod advance_order;
pub mod cancel_order;
pub mod cancel_unpaid_order;
pub mod delay_order;
pub(crate) mod forget_consumer;
pub mod get_cart;
pub mod get_cart_data;
pub mod get_order;
pub mod get_receipt;
pub mod list_active_orders;
pub mod list_orders;
pub mod list_queue;
pub mod order_details;
pub mod order_error;
pub mod place_order;
pub mod price_order;
mod record_payment_failure;
pub mod recover;
pub mod reject_order;
pub mod repeat_order;
pub mod save_cart;
pub mod send_order_feedback;
pub mod send_user_feedback;
mod transition;
pub mod user_arrived;
