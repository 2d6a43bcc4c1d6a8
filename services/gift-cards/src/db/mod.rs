//! SQL and ledger postings. Every function takes the caller's connection or transaction.

pub mod accounts;
pub mod auto_reload;
pub mod company_cards;
pub mod consumers;
pub mod counter;
pub mod deals;
pub mod deliveries;
pub mod gift_cards;
pub mod hold_step;
pub mod holds;
pub mod money_audit;
pub mod order_refunds;
pub mod postings;
pub mod purchase_audit;
pub mod purchase_leases;
pub mod purchase_totals;
pub mod purchases;
