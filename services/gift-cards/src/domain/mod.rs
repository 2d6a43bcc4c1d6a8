//! Balances, holds, purchases, cards and rules, without I/O.

pub mod auto_reload;
pub mod charge;
pub mod counter;
pub mod deal;
pub mod failed_refund;
pub mod gift_card;
pub mod hold;
pub mod money_audit;
pub mod purchase;
pub mod recipient;
pub mod secret;
pub mod wallet;
