//! Pure values without I/O: typed ids, money, the clock, pages, limits.

mod clock;
mod id;
pub mod limits;
pub mod minutes;
mod money;
mod page;
pub mod points;
pub mod session_cache;
pub mod text;
mod text_enum;
pub mod timeouts;

pub use clock::{Clock, ManualClock, SystemClock};
pub use id::{
    BalanceId, CategoryId, ChargeId, ChoiceId, CompanyId, ConsumerId, CounterPaymentId, CredentialId, DealId,
    DebtId, EntryId, EventId, GiftCardId, IdError, ItemId, MessageId, ModificationId, OrderId,
    PaymentMethodId, PurchaseId, RecoveryId, RefundId, SessionId, SizeId, StoreId, UsualItemId,
    WebhookDeliveryId, WebhookSubscriptionId,
};
pub use money::{Currency, Money, MoneyError};
pub use page::Page;
pub use text_enum::UnknownValue;
