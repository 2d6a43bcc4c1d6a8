//! Fakes of accounts, payments and stores, at one address. Payments keeps its charges, so that tests compare what was charged with
//! what was issued.

use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Body,
    extract::{self, Request},
    http::{HeaderMap, HeaderValue},
    response::Response,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use jiff::Timestamp;
use kit::{ErrorCode, ServiceError};
use prost::Message;
use proto::{
    accounts::v1::{FindRecipientRequest, FindRecipientResponse, find_recipient_request::Address},
    payments::v1::{
        AuthorizeChargeRequest, Capture, Charge, ChargeState, ChargeSubject, CheckDebtsRequest,
        CheckDebtsResponse, CloseChargeRequest, GetPaymentMethodRequest, ListChargesRequest,
        ListChargesResponse, PaymentMethod, RefreshChargeRequest, payment_source::Source,
    },
    stores::v1::{Company, GetCompanyRequest, GetStoreRequest, Store},
    values::v1::Money,
};
use tokio::sync::{OwnedRwLockWriteGuard, RwLock};
use tonic::Status;
use types::{CompanyId, ConsumerId, StoreId};

/// Payment methods of every consumer. Any other id does not exist.
pub const CARD: &str = "pay_card";
pub const BANK: &str = "pay_bank";
pub const DECLINED: &str = "pay_declined";
/// The consumer has to authenticate the payment.
pub const AUTHENTICATED: &str = "pay_authenticated";
/// The consumer owes a returned payment since the check of debts.
pub const INDEBTED: &str = "pay_indebted";
/// Charged, but the response is lost.
pub const LOST: &str = "pay_lost";

#[derive(Debug, Clone)]
pub struct FakeCharge {
    pub subject: ChargeSubject,
    pub state: ChargeState,
    pub cents: i64,
}

#[derive(Debug, Default)]
struct State {
    charges: BTreeMap<String, FakeCharge>,
    stores: HashMap<String, CompanyId>,
    calls: Vec<String>,
    is_down: bool,
    is_accounts_down: bool,
    /// Consumers by their phone numbers and verified email addresses.
    recipients: HashMap<String, ConsumerId>,
    /// Consumers who owe a returned payment.
    indebted: Vec<String>,
    removed_methods: Vec<String>,
    /// When every payment method was added, RFC 3339.
    methods_added_at: Option<String>,
    /// When every charge changed, RFC 3339. Empty in the previous release.
    charges_changed_at: String,
}

#[derive(Debug, Clone)]
pub struct FakeServices {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    /// Each call to authorize or refresh a charge reads it.
    gate: Arc<RwLock<()>>,
}

impl FakeServices {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let services = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::default(),
            gate: Arc::default(),
        };
        let router = Router::new().fallback(reply).with_state(services.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        services
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn add_store(&self, store_id: StoreId, company_id: CompanyId) {
        let mut state = self.state.lock().unwrap();
        state.stores.insert(store_id.to_string(), company_id);
    }

    pub fn add_recipient(&self, address: &str, consumer_id: ConsumerId) {
        let mut state = self.state.lock().unwrap();
        state.recipients.insert(address.to_owned(), consumer_id);
    }

    /// Lets calls of accounts fail, or succeed again.
    pub fn set_accounts_down(&self, is_down: bool) {
        self.state.lock().unwrap().is_accounts_down = is_down;
    }

    pub fn charges(&self) -> Vec<FakeCharge> {
        self.state.lock().unwrap().charges.values().cloned().collect()
    }

    /// Responds to no authorization and no refresh of a charge until the guard is dropped.
    pub async fn hold_charges(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.gate).write_owned().await
    }

    /// Returns the sum of the charges that were paid and not refunded.
    pub fn paid(&self) -> i64 {
        let paid = self.charges().into_iter();
        paid.filter(|charge| charge.state == ChargeState::Succeeded)
            .map(|charge| charge.cents)
            .sum()
    }

    /// Changes the state of a charge, as the provider would.
    pub fn set_charge(&self, purchase_id: &str, charge_state: ChargeState) {
        let mut state = self.state.lock().unwrap();
        state.charges.get_mut(purchase_id).unwrap().state = charge_state;
    }

    /// Adds a charge that no request created.
    pub fn add_charge(&self, charge: FakeCharge) {
        let mut state = self.state.lock().unwrap();
        state.charges.insert(charge.subject.id.clone(), charge);
    }

    pub fn remove_charge(&self, purchase_id: &str) {
        self.state.lock().unwrap().charges.remove(purchase_id);
    }

    /// Sets when every charge changed.
    pub fn set_charges_changed_at(&self, at: Timestamp) {
        self.state.lock().unwrap().charges_changed_at = at.to_string();
    }

    /// Lets the consumer owe a returned payment, or nothing any more.
    pub fn set_indebted(&self, consumer_id: ConsumerId, is_indebted: bool) {
        let mut state = self.state.lock().unwrap();
        state.indebted.retain(|id| *id != consumer_id.to_string());
        if is_indebted {
            state.indebted.push(consumer_id.to_string());
        }
    }

    /// Removes a payment method of every consumer.
    pub fn remove_method(&self, id: &str) {
        self.state.lock().unwrap().removed_methods.push(id.to_owned());
    }

    /// Sets when every payment method was added.
    pub fn set_methods_added_at(&self, at: Timestamp) {
        self.state.lock().unwrap().methods_added_at = Some(at.to_string());
    }

    /// Lets all calls fail, or succeed again.
    pub fn set_down(&self, is_down: bool) {
        self.state.lock().unwrap().is_down = is_down;
    }

    pub fn count(&self, method: &str) -> usize {
        let state = self.state.lock().unwrap();
        state.calls.iter().filter(|call| *call == method).count()
    }
}

impl State {
    fn call(&mut self, method: &str, body: &[u8]) -> Result<Vec<u8>, Status> {
        self.calls.push(method.to_owned());
        if self.is_down {
            return Err(Status::unavailable("down"));
        }
        match method {
            "GetPaymentMethod" => self.payment_method(&decode(body)).map(|it| it.encode_to_vec()),
            "CheckDebts" => {
                let CheckDebtsRequest { consumer_id } = decode(body);
                let has_debts = self.indebted.contains(&consumer_id);
                Ok(CheckDebtsResponse { has_debts }.encode_to_vec())
            }
            "FindRecipient" if self.is_accounts_down => Err(Status::unavailable("down")),
            "FindRecipient" => {
                let (Address::Phone(address) | Address::Email(address)) =
                    decode::<FindRecipientRequest>(body).address.unwrap();
                let consumer_id = self.recipients.get(&address);
                Ok(FindRecipientResponse {
                    consumer_id: consumer_id.map(ToString::to_string).unwrap_or_default(),
                }
                .encode_to_vec())
            }
            "AuthorizeCharge" => self.authorize(decode(body)).map(|it| it.encode_to_vec()),
            "RefreshCharge" => {
                let RefreshChargeRequest { subject } = decode(body);
                let charge = &self.charges[&subject.unwrap().id];
                Ok(message(charge).encode_to_vec())
            }
            "CloseCharge" => Ok(self.close(decode(body)).encode_to_vec()),
            "ListCharges" => Ok(self.list_charges(&decode(body)).encode_to_vec()),
            "GetStore" => self.store(&decode(body)).map(|it| it.encode_to_vec()),
            "GetCompany" => {
                let GetCompanyRequest { company_id } = decode(body);
                let company = Company {
                    company_id,
                    name: "Harbor & Pine".to_owned(),
                    ..Company::default()
                };
                Ok(company.encode_to_vec())
            }
            other => Err(Status::unimplemented(other)),
        }
    }

    fn authorize(&mut self, request: AuthorizeChargeRequest) -> Result<Charge, Status> {
        assert_eq!(request.capture(), Capture::Now);
        let subject = request.subject.unwrap();
        let cents = request.amount.unwrap().minor_units;
        if let Some(charge) = self.charges.get(&subject.id) {
            return Ok(message(charge));
        }
        let method = match request.source.unwrap().source.unwrap() {
            Source::PaymentMethodId(id) => id,
            Source::Wallet(wallet) => {
                assert_eq!(wallet.provider_payment_method_id, "pm_wallet");
                CARD.to_owned()
            }
        };
        if self.removed_methods.contains(&method) {
            return Err(method_unknown().into());
        }
        let state = match method.as_str() {
            BANK => ChargeState::Processing,
            DECLINED => ChargeState::Declined,
            AUTHENTICATED => ChargeState::RequiresAction,
            INDEBTED => return Err(indebted().into()),
            _ => ChargeState::Succeeded,
        };
        let charge = FakeCharge {
            subject: subject.clone(),
            state,
            cents,
        };
        let response = message(&charge);
        self.charges.insert(subject.id, charge);
        if method == LOST {
            return Err(Status::internal("the connection broke"));
        }
        Ok(response)
    }

    fn close(&mut self, request: CloseChargeRequest) -> Charge {
        let subject = request.subject.unwrap();
        let charge = self.charges.entry(subject.id.clone()).or_insert(FakeCharge {
            subject,
            state: ChargeState::Closed,
            cents: 0,
        });
        charge.state = match charge.state {
            ChargeState::Succeeded => ChargeState::Refunded,
            ended @ (ChargeState::Declined | ChargeState::Refunded | ChargeState::Returned) => ended,
            _ => ChargeState::Closed,
        };
        message(charge)
    }

    /// The id of a charge is that of its purchase.
    fn list_charges(&self, request: &ListChargesRequest) -> ListChargesResponse {
        let charges = self.charges.iter().filter(|(id, _)| {
            (request.subject_ids.is_empty() || request.subject_ids.contains(id)) && **id > request.after
        });
        let charges = charges.map(|(id, charge)| Charge {
            charge_id: id.clone(),
            changed_at: self.charges_changed_at.clone(),
            ..message(charge)
        });
        ListChargesResponse {
            charges: charges.collect(),
        }
    }

    fn payment_method(&self, request: &GetPaymentMethodRequest) -> Result<PaymentMethod, Status> {
        let id = &request.payment_method_id;
        let kind = match id.as_str() {
            BANK => Some("bank"),
            CARD | DECLINED | AUTHENTICATED | INDEBTED | LOST => Some("card"),
            _ => None,
        };
        let kind = kind
            .filter(|_| !self.removed_methods.contains(id))
            .ok_or_else(method_unknown)?;
        let added_at = self.methods_added_at.as_deref();
        Ok(PaymentMethod {
            r#type: kind.to_owned(),
            added_at: added_at.unwrap_or("2026-01-05T12:00:00Z").to_owned(),
            ..PaymentMethod::default()
        })
    }

    fn store(&self, request: &GetStoreRequest) -> Result<Store, Status> {
        let company = self.stores.get(&request.store_id).ok_or_else(|| {
            ServiceError::new(
                ErrorCode::NotFound,
                "STORE_UNKNOWN",
                "We couldn't find that store.",
            )
        })?;
        Ok(Store {
            store_id: request.store_id.clone(),
            name: "Sunset & Maltman".to_owned(),
            company_id: company.to_string(),
            ..Store::default()
        })
    }
}

fn decode<M: Message + Default>(body: &[u8]) -> M {
    M::decode(body).unwrap()
}

fn method_unknown() -> ServiceError {
    let message = "This payment method is no longer available.";
    ServiceError::new(ErrorCode::NotFound, "PAYMENT_METHOD_UNKNOWN", message)
}

fn indebted() -> ServiceError {
    ServiceError::new(
        ErrorCode::Forbidden,
        "FAILED_ACH_PAYMENTS",
        "You have failed payment",
    )
}

fn message(charge: &FakeCharge) -> Charge {
    Charge {
        subject: Some(charge.subject.clone()),
        state: charge.state.into(),
        amount: Some(Money {
            minor_units: charge.cents,
            currency: "usd".to_owned(),
        }),
        client_secret: "secret".to_owned(),
        decline_reason: "CARD_DECLINED".to_owned(),
        decline_message: "Your card was declined.".to_owned(),
        ..Charge::default()
    }
}

async fn reply(extract::State(services): extract::State<FakeServices>, request: Request) -> Response {
    let method = request.uri().path().rsplit('/').next().unwrap().to_owned();
    let body = axum::body::to_bytes(request.into_body(), 10_000_000)
        .await
        .unwrap();
    let result = services.state.lock().unwrap().call(&method, &body[5..]);
    if method == "AuthorizeCharge" || method == "RefreshCharge" {
        let _open = services.gate.read().await;
    }
    match result {
        Ok(message) => grpc_response(&message),
        Err(status) => status.into_http(),
    }
}

fn grpc_response(message: &[u8]) -> Response {
    let mut framed = vec![0];
    framed.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    framed.extend(message);
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    let body = Full::new(Bytes::from(framed)).with_trailers(async move { Some(Ok(trailers)) });
    let mut response = Response::new(Body::new(body));
    response
        .headers_mut()
        .insert("content-type", HeaderValue::from_static("application/grpc"));
    response
}
