//! Use cases. A gRPC method has the name of its operation.

pub mod add_card;
pub mod authorize_charge;
pub mod close_charge;
pub mod create_setup_intent;
pub mod delete_payment_method;
pub mod execute_effect;
pub mod get_payment_method;
pub mod get_publishable_key;
pub mod list_payment_methods;
pub mod receive_provider_event;
pub mod refresh_charge;
pub mod remove_consumer;
pub mod replan_effect;
pub mod request_capture;
pub mod request_release;
pub mod set_default_payment_method;
pub mod unset_default_payment_method;

mod apply_provider_state;
mod customer;
mod payment_method_error;
mod publish;
mod raise_target_state;
mod save_charge;
mod void_unknown_charge;
