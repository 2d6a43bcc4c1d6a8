//! What a consumer can pay with: saved methods from payments joined with balances from gift-cards.

use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1 as giftcards;
use proto::payments::v1 as payments;
use proto::stores::v1 as stores;

use crate::caller::Consumer;
use crate::envelope::ApiError;
use crate::gateway::Gateway;
use crate::types::payment::{ListPaymentMethodsQuery, MethodScope, PaymentMethod, PaymentMethodList};
use crate::types::words::PaymentType;

/// What the id of a balance starts with.
pub(crate) const BALANCE: &str = "bal_";

/// No such method, or somebody else's: both answer alike.
pub(crate) fn unknown() -> ApiError {
    ServiceError::new(
        ErrorCode::NotFound,
        "PAYMENT_METHOD_UNKNOWN",
        "There is no such payment method.",
    )
    .into()
}

/// Joebucks first, then what is saved; the one asked for before all of them.
///
/// # Errors
/// What payments says. Gift-cards being away only leaves the balances out.
pub(crate) async fn compose(
    gateway: &Gateway,
    consumer: &Consumer,
    query: ListPaymentMethodsQuery,
) -> Result<PaymentMethodList, ApiError> {
    let wanted = query.include_default_payment_method_id.unwrap_or_default();
    let stored_value =
        query.kind.is_none_or(|kind| kind == MethodScope::All) && !query.exclude_joebucks.unwrap_or_default();
    let mut payments = gateway.clients.payments(&consumer.call);
    // Payments knows its own methods only; a balance is put first here.
    let own = if wanted.starts_with(BALANCE) {
        String::new()
    } else {
        wanted.clone()
    };
    let request = payments::ListPaymentMethodsRequest {
        include_default_payment_method_id: own,
    };
    let (saved, balances) = tokio::join!(
        payments.list_payment_methods(request),
        balances(
            gateway,
            consumer,
            stored_value || wanted.starts_with(BALANCE),
            query.store_id
        ),
    );
    let mut methods: Vec<PaymentMethod> = balances.into_iter().map(PaymentMethod::from).collect();
    methods.retain(|balance| stored_value || balance.id == wanted);
    let saved = saved?.into_inner().methods.into_iter().map(PaymentMethod::from);
    methods.extend(saved.filter(|method| in_scope(query.kind, method.kind) || method.id == wanted));
    put_first(&mut methods, &wanted);
    Ok(PaymentMethodList {
        payment_methods: methods,
    })
}

fn in_scope(scope: Option<MethodScope>, kind: PaymentType) -> bool {
    match scope {
        None | Some(MethodScope::All | MethodScope::External) => true,
        Some(MethodScope::Card) => kind == PaymentType::Card,
        Some(MethodScope::Bank) => kind == PaymentType::Bank,
    }
}

/// Marks and leads with the method that was asked for; no other is marked then.
fn put_first(methods: &mut [PaymentMethod], wanted: &str) {
    if methods.iter().any(|method| method.id == wanted) {
        methods.sort_by_key(|method| method.id != wanted);
        for method in methods {
            method.is_default = method.id == wanted;
        }
    }
}

async fn balances(
    gateway: &Gateway,
    consumer: &Consumer,
    needed: bool,
    store_id: Option<String>,
) -> Vec<giftcards::Balance> {
    if !needed {
        return Vec::new();
    }
    let mut gift_cards = gateway.clients.gift_cards(&consumer.call);
    let wallet = gift_cards.get_wallet(giftcards::GetWalletRequest {});
    let (wallet, company) = tokio::join!(wallet, company(gateway, consumer, store_id));
    match wallet {
        Ok(wallet) => {
            let balances = wallet.into_inner().balances.into_iter();
            // A company's card is taken at that company's stores only; JoePass everywhere.
            let taken = |at: &str| {
                company
                    .as_ref()
                    .is_none_or(|company| at.is_empty() || at == company)
            };
            balances.filter(|balance| taken(&balance.company_id)).collect()
        }
        Err(status) => {
            tracing::warn!(code = ?status.code(), "balances are away; the list goes without");
            Vec::new()
        }
    }
}

async fn company(gateway: &Gateway, consumer: &Consumer, store_id: Option<String>) -> Option<String> {
    let request = stores::GetStoreRequest {
        store_id: store_id?,
        position: None,
    };
    let store = gateway
        .clients
        .stores(&consumer.call)
        .get_store(request)
        .await
        .ok()?;
    Some(store.into_inner().company_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(id: &str, kind: &str, is_default: bool) -> PaymentMethod {
        payments::PaymentMethod {
            payment_method_id: id.to_owned(),
            r#type: kind.to_owned(),
            is_default,
            last4: "4242".to_owned(),
            ..Default::default()
        }
        .into()
    }

    #[test]
    fn the_method_asked_for_leads_and_alone_is_marked() {
        let mut methods = vec![saved("pay_a", "card", true), saved("pay_b", "bank", false)];
        put_first(&mut methods, "pay_b");
        assert_eq!(
            methods
                .iter()
                .map(|method| (&*method.id, method.is_default))
                .collect::<Vec<_>>(),
            [("pay_b", true), ("pay_a", false)]
        );
    }

    #[test]
    fn one_that_is_not_there_changes_nothing() {
        let mut methods = vec![saved("pay_a", "card", true)];
        put_first(&mut methods, "pay_x");
        assert!(methods[0].is_default);
    }
}
