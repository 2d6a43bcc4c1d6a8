//! SQL only. Every function takes the caller's connection or transaction.

pub mod accounts;
pub mod challenge_claims;
pub mod challenges;
pub mod claims;
pub mod consumers;
pub mod invitations;
pub mod landing_pages;
pub mod message_texts;
pub mod messages;
pub mod offers;
pub mod order_points;
pub mod promo_failures;
pub mod promos;
pub mod reward_tiers;
