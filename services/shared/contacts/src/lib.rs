//! Phone numbers and email addresses as typed by consumers.

mod email;
mod phone;

pub use email::{InvalidEmail, clean_email};
pub use phone::{Countries, InvalidCountries, InvalidPhone, Phone, load_metadata};
