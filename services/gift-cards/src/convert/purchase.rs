use kit::{ErrorCode, ServiceError, idempotency, parse_id, parse_optional_id};
use prost::Message;
use proto::{giftcards::v1 as pb, payments::v1 as payments};
use types::ConsumerId;

use super::{balance, malformed, money, optional_timestamp, parse_money};
use crate::{
    domain::{
        deal::Deal,
        purchase::{
            AddFunds, BuyGiftCard, Item, Payment, PaymentSource, Purchase, PurchaseCompanyGiftCard,
            PurchaseState, Tender,
        },
        recipient::{InvalidRecipient, Recipient, RecipientKind},
    },
    ops::purchase::PurchaseSnapshot,
};

pub(crate) fn add_funds_command(
    consumer_id: ConsumerId,
    mut request: pb::AddFundsRequest,
) -> Result<AddFunds, ServiceError> {
    let idempotency_key = std::mem::take(&mut request.idempotency_key);
    let payment = payment(consumer_id, request.payment.clone(), idempotency_key, &request)?;
    Ok(AddFunds {
        payment,
        amount: parse_money(request.amount)?,
        balance_id: parse_optional_id(&request.balance_id, "balanceId")?,
    })
}

pub(crate) fn buy_gift_card_command(
    consumer_id: ConsumerId,
    mut request: pb::BuyGiftCardRequest,
) -> Result<BuyGiftCard, ServiceError> {
    let idempotency_key = std::mem::take(&mut request.idempotency_key);
    let payment = payment(consumer_id, request.payment.clone(), idempotency_key, &request)?;
    let deliver_on = match request.deliver_on.as_str() {
        "" => None,
        text => Some(text.parse().map_err(|_| malformed("deliverOn"))?),
    };
    Ok(BuyGiftCard {
        payment,
        amount: parse_money(request.amount)?,
        deal_id: parse_optional_id(&request.deal_id, "dealId")?,
        recipient: recipient(request.recipient)?,
        deliver_on,
        message: request.message,
        design: request.design,
    })
}

pub(crate) fn company_card_command(
    consumer_id: ConsumerId,
    mut request: pb::PurchaseCompanyGiftCardRequest,
) -> Result<PurchaseCompanyGiftCard, ServiceError> {
    let idempotency_key = std::mem::take(&mut request.idempotency_key);
    let payment = payment(consumer_id, request.payment.clone(), idempotency_key, &request)?;
    Ok(PurchaseCompanyGiftCard {
        payment,
        company_id: parse_id(&request.company_id, "companyId")?,
        deal_id: parse_optional_id(&request.deal_id, "dealId")?,
        amount: request
            .amount
            .map(|amount| parse_money(Some(amount)))
            .transpose()?,
    })
}

/// The hash covers the request without its key, without the kind of a saved method, which the method has anyway, and without the id of a
/// wallet payment, which differs for each attempt. It is stored: the encoding must not change between releases.
fn payment(
    consumer_id: ConsumerId,
    source: Option<payments::PaymentSource>,
    idempotency_key: String,
    request: &(impl Message + Clone + WithPayment),
) -> Result<Payment, ServiceError> {
    let mut canonical = request.clone();
    if let Some(payment) = canonical.payment() {
        payment.set_saved_method_kind(payments::MethodKind::Unspecified);
        if let Some(payments::payment_source::Source::Wallet(wallet)) = &mut payment.source {
            wallet.provider_payment_method_id.clear();
        }
    }
    Ok(Payment {
        consumer_id,
        saved_method_kind: source.as_ref().and_then(saved_method_kind),
        source: payment_source(source)?,
        idempotency_key,
        request_hash: idempotency::hash(&canonical.encode_to_vec()),
    })
}

fn saved_method_kind(source: &payments::PaymentSource) -> Option<Tender> {
    match source.saved_method_kind() {
        payments::MethodKind::Card => Some(Tender::Card),
        payments::MethodKind::Bank => Some(Tender::Bank),
        _ => None,
    }
}

trait WithPayment {
    fn payment(&mut self) -> Option<&mut payments::PaymentSource>;
}

macro_rules! with_payment {
    ($($request:ty),*) => {$(
        impl WithPayment for $request {
            fn payment(&mut self) -> Option<&mut payments::PaymentSource> {
                self.payment.as_mut()
            }
        }
    )*};
}

with_payment!(
    pb::AddFundsRequest,
    pb::BuyGiftCardRequest,
    pb::PurchaseCompanyGiftCardRequest
);

fn payment_source(source: Option<payments::PaymentSource>) -> Result<PaymentSource, ServiceError> {
    use payments::payment_source::Source;
    let required = || {
        ServiceError::new(
            ErrorCode::RuleViolation,
            "PAYMENT_METHOD_REQUIRED",
            "Payment method is required",
        )
        .with_field("payment")
    };
    match source.and_then(|source| source.source).ok_or_else(required)? {
        Source::PaymentMethodId(id) if id.is_empty() => Err(required()),
        Source::PaymentMethodId(payment_method_id) => Ok(PaymentSource::Saved { payment_method_id }),
        Source::Wallet(wallet) if wallet.provider_payment_method_id.is_empty() => Err(required()),
        Source::Wallet(wallet) => Ok(PaymentSource::Wallet {
            tender: match wallet.kind() {
                payments::WalletKind::ApplePay => Tender::ApplePay,
                payments::WalletKind::GooglePay => Tender::GooglePay,
                payments::WalletKind::Unspecified => return Err(malformed("payment")),
            },
            provider_payment_method_id: wallet.provider_payment_method_id,
        }),
    }
}

fn recipient(recipient: Option<pb::Recipient>) -> Result<Recipient, ServiceError> {
    let recipient = recipient.unwrap_or_default();
    let kind = match recipient.kind() {
        pb::RecipientKind::Self_ => RecipientKind::Buyer,
        pb::RecipientKind::Phone => RecipientKind::Phone,
        pb::RecipientKind::Email => RecipientKind::Email,
        pb::RecipientKind::Unspecified => return Err(malformed("recipient")),
    };
    Recipient::parse(kind, &recipient.value, &recipient.name).map_err(recipient_error)
}

fn recipient_error(error: InvalidRecipient) -> ServiceError {
    let (field, message) = match error {
        InvalidRecipient::Phone => ("recipient.value", "Enter a valid phone number."),
        InvalidRecipient::Email => ("recipient.value", "Enter a valid email address."),
        InvalidRecipient::Name => ("recipient.name", "That name is too long."),
    };
    ServiceError::new(ErrorCode::RuleViolation, "RECIPIENT_INVALID", message).with_field(field)
}

pub(crate) fn purchase(snapshot: PurchaseSnapshot) -> pb::Purchase {
    pb::Purchase {
        balance: snapshot.balance.map(balance),
        ..purchase_without_balance(snapshot.purchase)
    }
}

pub(crate) fn uploads(purchases: Vec<Purchase>) -> pb::ListCompanyGiftCardUploadsResponse {
    pb::ListCompanyGiftCardUploadsResponse {
        uploads: purchases.into_iter().map(purchase_without_balance).collect(),
    }
}

fn purchase_without_balance(purchase: Purchase) -> pb::Purchase {
    let state = match purchase.state {
        // Responses of pending purchases are not sent: the caller waits.
        PurchaseState::Pending | PurchaseState::RequiresAction => pb::PurchaseState::PurchaseRequiresAction,
        PurchaseState::Processing => pb::PurchaseState::PurchaseProcessing,
        PurchaseState::Completed => pb::PurchaseState::PurchaseCompleted,
        PurchaseState::Failed => pb::PurchaseState::PurchaseFailed,
        PurchaseState::Returned => pb::PurchaseState::PurchaseReturned,
    };
    let (gift_card_id, company_id, company_name) = match purchase.item {
        Item::GiftCard { id, .. } => (id.to_string(), String::new(), String::new()),
        Item::CompanyCard {
            company_id,
            company_name,
        } => (String::new(), company_id.to_string(), company_name),
        Item::TopUp { .. } => Default::default(),
    };
    pb::Purchase {
        purchase_id: purchase.id.to_string(),
        state: state.into(),
        amount: Some(money(purchase.amount)),
        value: Some(money(purchase.value)),
        client_secret: purchase.client_secret.expose(),
        balance: None,
        gift_card_id,
        created_at: purchase.created_at.to_string(),
        is_automatic: purchase.is_automatic,
        company_id,
        company_name,
    }
}

pub(crate) fn deals(deals: Vec<Deal>) -> pb::ListGiftCardDealsResponse {
    pb::ListGiftCardDealsResponse {
        deals: deals.into_iter().map(deal).collect(),
    }
}

fn deal(deal: Deal) -> pb::Deal {
    let (company_id, company_name) = match deal.company {
        Some((id, name)) => (id.to_string(), name),
        None => Default::default(),
    };
    pb::Deal {
        deal_id: deal.id.to_string(),
        title: deal.title,
        description: deal.description,
        price: Some(money(deal.price)),
        value: Some(money(deal.value)),
        company_id,
        company_name,
        ends_at: optional_timestamp(deal.ends_at),
        uses_left: deal.uses_left,
    }
}
