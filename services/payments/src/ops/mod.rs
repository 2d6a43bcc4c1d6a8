//! One use case a file, named by its verb.

pub mod add_card;
pub mod attach_test_card;
pub mod authorize;
pub mod carry_out;
pub mod close;
pub mod create_card_secret;
pub mod delete_method;
pub mod forget;
pub mod get_method;
pub mod list_methods;
pub mod observe;
pub mod receive_event;
pub mod refresh;
pub mod set_default;
pub mod want;

mod customer;
mod publish;
