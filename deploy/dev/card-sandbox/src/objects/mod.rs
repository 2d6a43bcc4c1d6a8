//! The API's objects, and the sandbox's own records about them, as stored in the journal.

mod charge;
mod customer;
mod delivery;
mod dispute;
mod event;
mod instrument;
mod metadata;
mod payment_intent;
mod payment_method;
mod records;
mod refund;
mod setup_intent;

pub use charge::{Charge, ChargeStatus};
pub use customer::{Customer, InvoiceSettings};
pub use delivery::Delivery;
pub use dispute::{Dispute, DisputeStatus};
pub use event::{Event, EventData, EventSource};
pub use instrument::{Address, BillingDetails, Card, UsBankAccount};
pub use metadata::Metadata;
pub use payment_intent::{PaymentIntent, PaymentStatus, StepMode};
pub use payment_method::PaymentMethod;
pub use records::{PassedAuthentication, ScheduledDecision, StoredResponse};
pub use refund::{Refund, RefundStatus};
pub use setup_intent::{SetupIntent, SetupStatus};
