//! Orders, carts and prices: pure types and rules.

pub mod card_hold;
pub mod cart;
pub mod charge;
pub mod debt_check;
pub mod delay;
pub mod end;
pub mod feedback;
pub mod journey_step;
pub mod line;
pub mod line_change;
pub mod money_audit;
pub mod order;
pub mod order_move;
pub mod payment_loss;
pub mod pickup;
pub mod place_order;
pub mod pricing;
pub mod queue;
pub mod quote;
pub mod receipt;
pub mod refund;
pub mod saved_cart;
pub mod status;
pub mod store;
pub mod summary;
pub mod tender;
