//! Points, promo codes, claims, offers, challenges, invitations, landing pages and inbox messages, without I/O.

pub mod catalog;
pub mod challenge;
pub mod claim;
pub mod failed_payment;
pub mod inbox;
pub mod invitation;
pub mod landing_page;
pub mod message_text;
pub mod notification;
pub mod offer;
pub mod order;
pub mod points;
pub mod promo;
pub mod promo_error;
pub mod stored_value;
pub mod weekdays;
