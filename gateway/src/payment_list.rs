//! Lists the consumer's payment methods: saved methods of payments and balances of gift-cards.

use kit::{ErrorCode, ServiceError, parse_id};
use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;
use proto::stores::v1 as stores;
use types::BalanceId;

use crate::error::ApiError;
use crate::extract::Consumer;
use crate::gateway::Gateway;
use crate::types::convert_all;
use crate::types::enums::PaymentType;
use crate::types::payment::{ListPaymentMethodsQuery, MethodFilter, PaymentMethod, PaymentMethodList};

/// Returns whether the id of a payment method is that of a balance.
pub(crate) fn is_balance_id(payment_method_id: &str) -> bool {
    let prefix = payment_method_id.split_once('_').map(|(prefix, _)| prefix);
    prefix == Some(BalanceId::PREFIX)
}

/// Rejects the id of a balance for calls that are only for saved methods.
///
/// # Errors
/// `BALANCE_NOT_ALLOWED` with the message.
pub(crate) fn require_saved_method(payment_method_id: &str, message: &'static str) -> Result<(), ApiError> {
    if !is_balance_id(payment_method_id) {
        return Ok(());
    }
    let error = ApiError::new(ErrorCode::RuleViolation, "BALANCE_NOT_ALLOWED", message);
    Err(error.with_field("paymentMethodId"))
}

/// The same error for methods that do not exist and for those of other consumers.
pub(crate) fn unknown_payment_method() -> ApiError {
    ApiError::new(
        ErrorCode::NotFound,
        "PAYMENT_METHOD_UNKNOWN",
        "We couldn't find that payment method.",
    )
}

/// Lists balances, then saved methods, with the requested method first.
///
/// # Errors
/// Errors of payments, and errors of stores for the store. While gift-cards is unavailable, the list has no balances; while stores is
/// unavailable, it has those of all companies.
pub(crate) async fn list_payment_methods(
    gateway: &Gateway,
    consumer: &Consumer,
    query: ListPaymentMethodsQuery,
) -> Result<PaymentMethodList, ApiError> {
    let default_id = query.include_default_payment_method_id.unwrap_or_default();
    if is_balance_id(&default_id) {
        parse_id::<BalanceId>(&default_id, "includeDefaultPaymentMethodId")?;
    }
    let includes_balances = query.kind.is_none_or(|kind| kind == MethodFilter::All)
        && !query.exclude_joebucks.unwrap_or_default();
    let balances = async {
        if includes_balances || is_balance_id(&default_id) {
            list_balances(gateway, consumer, query.store_id).await
        } else {
            Ok(Vec::new())
        }
    };
    let saved_default_id = if is_balance_id(&default_id) {
        ""
    } else {
        &default_id
    };
    let request = payments::ListPaymentMethodsRequest {
        include_default_payment_method_id: saved_default_id.to_owned(),
    };
    let mut client = gateway.clients.payments(&consumer.context);
    let (saved, balances) = tokio::join!(client.list_payment_methods(request), balances);
    let saved = PaymentMethodList::try_from(saved?.into_inner())?.payment_methods;

    let mut methods: Vec<PaymentMethod> = convert_all(balances?);
    methods.retain(|balance| includes_balances || balance.id == default_id);
    methods.extend(
        saved
            .into_iter()
            .filter(|method| matches_filter(query.kind, method.kind) || method.id == default_id),
    );
    put_first(&mut methods, &default_id);
    Ok(PaymentMethodList {
        payment_methods: methods,
    })
}

/// Lists the saved cards and bank accounts.
pub(crate) async fn list_saved_methods(
    gateway: &Gateway,
    consumer: &Consumer,
) -> Result<Vec<PaymentMethod>, ApiError> {
    let mut client = gateway.clients.payments(&consumer.context);
    let request = payments::ListPaymentMethodsRequest::default();
    let saved = client.list_payment_methods(request).await?;
    Ok(PaymentMethodList::try_from(saved.into_inner())?.payment_methods)
}

fn matches_filter(filter: Option<MethodFilter>, kind: PaymentType) -> bool {
    match filter {
        None | Some(MethodFilter::All | MethodFilter::External) => true,
        Some(MethodFilter::Card) => kind == PaymentType::Card,
        Some(MethodFilter::Bank) => kind == PaymentType::Bank,
    }
}

/// Moves the method with this id to the front. The consumer's default stays marked as the default.
fn put_first(methods: &mut [PaymentMethod], id: &str) {
    methods.sort_by_key(|method| method.id != id);
}

/// Returns the active balances that the store accepts: JoePass, gift cards, and the card of the store's company. Without a
/// store, all active ones.
async fn list_balances(
    gateway: &Gateway,
    consumer: &Consumer,
    store_id: Option<String>,
) -> Result<Vec<giftcards::Balance>, ApiError> {
    let mut client = gateway.clients.gift_cards(&consumer.context);
    let wallet = client.get_wallet(giftcards::GetWalletRequest {});
    let (wallet, company) = tokio::join!(wallet, find_company(gateway, consumer, store_id));
    let company = company?;
    let mut balances = match wallet {
        Ok(wallet) => wallet.into_inner().balances,
        Err(status) => {
            tracing::warn!(code = ?status.code(), "balances unavailable; payment methods listed without them");
            return Ok(Vec::new());
        }
    };
    balances.retain(|balance| balance.is_active);
    if let Some(company) = company {
        balances.retain(|balance| balance.company_id.is_empty() || balance.company_id == company);
    }
    Ok(balances)
}

/// Returns the company of the store, or `None` without a store or while stores is unavailable.
async fn find_company(
    gateway: &Gateway,
    consumer: &Consumer,
    store_id: Option<String>,
) -> Result<Option<String>, ApiError> {
    let Some(store_id) = store_id else {
        return Ok(None);
    };
    let request = stores::GetStoreRequest {
        store_id,
        position: None,
    };
    let mut client = gateway.clients.stores(&consumer.context);
    match client.get_store(request).await {
        Ok(store) => Ok(Some(store.into_inner().company_id)),
        Err(status) => {
            let error = ServiceError::from_status(&status);
            if matches!(error.code, ErrorCode::InvalidRequest | ErrorCode::NotFound) {
                return Err(error.into());
            }
            tracing::warn!(code = ?status.code(), "store unavailable; balances of all companies listed");
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(id: &str, kind: &str, is_default: bool) -> PaymentMethod {
        let method = payments::PaymentMethod {
            payment_method_id: id.to_owned(),
            r#type: kind.to_owned(),
            is_default,
            last4: "4242".to_owned(),
            ..Default::default()
        };
        method.try_into().unwrap()
    }

    #[test]
    fn the_requested_method_is_first_and_the_default_stays_the_default() {
        let mut methods = vec![method("pay_a", "card", true), method("pay_b", "bank", false)];
        put_first(&mut methods, "pay_b");
        assert_eq!(
            methods
                .iter()
                .map(|method| (&*method.id, method.is_default))
                .collect::<Vec<_>>(),
            [("pay_b", false), ("pay_a", true)]
        );
    }

    #[test]
    fn a_missing_method_changes_nothing() {
        let mut methods = vec![method("pay_a", "card", true), method("pay_b", "bank", false)];
        put_first(&mut methods, "pay_x");
        assert_eq!((&*methods[0].id, methods[0].is_default), ("pay_a", true));
    }

    #[test]
    fn balances_are_recognized_by_their_id() {
        assert!(is_balance_id("bal_1"));
        assert!(!is_balance_id("pay_1") && !is_balance_id("balance") && !is_balance_id(""));
    }
}
