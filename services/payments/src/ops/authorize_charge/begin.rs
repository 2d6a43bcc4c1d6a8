//! First step: writes the charge's row, or finds the row that a previous call wrote.

use sqlx::PgConnection;
use types::{ChargeId, ConsumerId, PaymentMethodId};

use super::AuthorizeChargeError;
use crate::Payments;
use crate::db::provider_customers::{self, ProviderCustomer};
use crate::db::{charges, debts, payment_methods};
use crate::domain::charge::{AuthorizeCharge, Charge, ChargeTerms, PaymentSource};
use crate::domain::payment_method::{MethodKind, WalletKind};
use crate::ops::customer::{CustomerError, call_with_customer};
use crate::provider::ProviderError;

/// The payment method of a new charge, as the provider knows it.
#[derive(Debug, Clone)]
pub struct ProviderMethod {
    payment_method_id: Option<PaymentMethodId>,
    pub kind: MethodKind,
    customer_id: String,
    method_id: String,
}

/// Returns the subject's charge, which is inserted if there is none.
pub async fn begin(cx: &Payments, command: AuthorizeCharge) -> Result<Charge, AuthorizeChargeError> {
    let mut conn = cx.pool.acquire().await?;
    if let Some(charge) = charges::find_by_subject(&mut conn, command.subject).await? {
        return require_same_terms(charge, &command);
    }
    if debts::has_open(&mut conn, command.consumer_id).await? {
        return Err(AuthorizeChargeError::HasDebts);
    }
    drop(conn);
    let method = find_method(cx, command.consumer_id, &command.source).await?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let charge = insert(cx, &mut tx, &command, method).await?;
    tx.commit().await?;
    Ok(charge)
}

/// Finds the payment method of a new charge.
pub async fn find_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    source: &PaymentSource,
) -> Result<ProviderMethod, AuthorizeChargeError> {
    match source {
        PaymentSource::Saved(id) => saved_method(cx, consumer_id, *id).await,
        PaymentSource::Wallet(kind, method_id) => wallet_method(cx, consumer_id, *kind, method_id).await,
    }
}

/// Inserts the charge in the caller's transaction, or returns the subject's charge if it has the same terms.
pub async fn insert(
    cx: &Payments,
    conn: &mut PgConnection,
    command: &AuthorizeCharge,
    method: ProviderMethod,
) -> Result<Charge, AuthorizeChargeError> {
    let now = cx.clock.now();
    let terms = ChargeTerms {
        consumer_id: Some(command.consumer_id),
        payment_method_id: method.payment_method_id,
        method_kind: method.kind,
        provider_customer_id: method.customer_id,
        provider_method_id: method.method_id,
        amount: command.amount,
        capture: command.capture,
    };
    let charge = Charge::new(ChargeId::new(now), command.subject, terms);
    if charges::insert(conn, &charge, Some(&command.description)).await? {
        return Ok(charge);
    }
    // A concurrent call inserted the charge, or closed it. Without a charge, the consumer was removed concurrently.
    let existing = charges::find_by_subject(conn, command.subject)
        .await?
        .ok_or(AuthorizeChargeError::MethodNotFound)?;
    require_same_terms(existing, command)
}

async fn saved_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    id: PaymentMethodId,
) -> Result<ProviderMethod, AuthorizeChargeError> {
    let mut conn = cx.pool.acquire().await?;
    let method = payment_methods::find(&mut conn, consumer_id, id)
        .await?
        .ok_or(AuthorizeChargeError::MethodNotFound)?;
    let Some(ProviderCustomer {
        provider_id: Some(customer_id),
        is_removed: false,
    }) = provider_customers::find(&mut conn, consumer_id).await?
    else {
        return Err(AuthorizeChargeError::MethodNotFound);
    };
    Ok(ProviderMethod {
        payment_method_id: Some(id),
        kind: method.description.kind,
        customer_id,
        method_id: method.description.provider_id,
    })
}

/// Checks that the wallet created the method: otherwise any card could be charged without being saved, and so without the
/// limits on saving cards. The charge belongs to the consumer's customer, by which it is found if the response is lost.
async fn wallet_method(
    cx: &Payments,
    consumer_id: ConsumerId,
    kind: WalletKind,
    method_id: &str,
) -> Result<ProviderMethod, AuthorizeChargeError> {
    let created_by = match cx.provider.find_wallet(method_id).await {
        Err(ProviderError::Rejected { .. }) => None,
        result => result.map_err(kit::InternalError::from)?,
    };
    if created_by != Some(kind) {
        return Err(AuthorizeChargeError::WalletPaymentInvalid);
    }
    let (customer_id, ()) = call_with_customer(cx, consumer_id, |_| async { Ok(()) })
        .await
        .map_err(|error| match error {
            CustomerError::Removed => AuthorizeChargeError::MethodNotFound,
            CustomerError::Internal(error) => error.into(),
        })?;
    Ok(ProviderMethod {
        payment_method_id: None,
        kind: MethodKind::Wallet(kind),
        customer_id,
        method_id: method_id.to_owned(),
    })
}

fn require_same_terms(charge: Charge, command: &AuthorizeCharge) -> Result<Charge, AuthorizeChargeError> {
    let Some(terms) = &charge.terms else {
        return Err(AuthorizeChargeError::Closed);
    };
    // The charge of a removed consumer has no consumer id.
    let is_same_consumer = terms.consumer_id.is_none_or(|id| id == command.consumer_id);
    let is_same_payment =
        command.source.is_in(terms) && (terms.amount, terms.capture) == (command.amount, command.capture);
    if is_same_consumer && is_same_payment {
        Ok(charge)
    } else {
        Err(AuthorizeChargeError::TermsMismatch)
    }
}
