//! Cards and bank accounts as they come in and as they are shown. Full numbers are never kept.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::books::letters;
use crate::form::Form;
use crate::nature::Nature;
use crate::numbers;
use crate::refusal::Refusal;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Address {
    pub city: Option<String>,
    pub country: Option<String>,
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub postal_code: Option<String>,
    pub state: Option<String>,
}

impl From<&Form> for Address {
    fn from(form: &Form) -> Self {
        Self {
            city: form.owned("city"),
            country: form.owned("country"),
            line1: form.owned("line1"),
            line2: form.owned("line2"),
            postal_code: form.owned("postal_code"),
            state: form.owned("state"),
        }
    }
}

/// Whose the instrument is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BillingDetails {
    pub address: Address,
    pub email: Option<String>,
    pub name: Option<String>,
    pub phone: Option<String>,
    pub tax_id: Option<String>,
}

impl BillingDetails {
    /// Applies `billing_details[…]`.
    pub fn apply(&mut self, form: &Form) {
        if let Some(address) = form.within("billing_details.address") {
            self.address = Address::from(&address);
        }
        for (path, field) in [
            ("billing_details.email", &mut self.email),
            ("billing_details.name", &mut self.name),
            ("billing_details.phone", &mut self.phone),
        ] {
            if form.has(path) {
                *field = form.owned(path);
            }
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Card {
    pub brand: String,
    pub checks: Value,
    pub country: String,
    pub display_brand: String,
    pub exp_month: i64,
    pub exp_year: i64,
    pub fingerprint: String,
    pub funding: String,
    pub generated_from: Option<Value>,
    pub last4: String,
    pub networks: Value,
    pub three_d_secure_usage: Value,
    pub wallet: Option<Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UsBankAccount {
    pub account_holder_type: String,
    pub account_type: String,
    pub bank_name: String,
    pub financial_connections_account: Option<String>,
    pub fingerprint: String,
    pub last4: String,
    pub networks: Value,
    pub routing_number: String,
    pub status_details: Option<Value>,
}

/// Reads `card[…]`: a number with its expiry, or a token.
///
/// # Errors
/// The provider's card errors for numbers, expiries and codes that cannot be right.
pub fn card(form: &Form, seed: u64, now: i64) -> Result<(Card, Nature), Refusal> {
    if let Some(token) = form.text("card.token") {
        let number = numbers::number_of_token(token)
            .ok_or_else(|| Refusal::names_missing("token", token, "card[token]"))?;
        let mut card = shown(number, 12, year_and_month(now).0 + 2, seed);
        card.wallet = form.text("card.wallet").map(wallet);
        return Ok((card, numbers::card_nature(number)));
    }
    let number: String = form
        .required("card.number")?
        .chars()
        .filter(|it| !it.is_whitespace())
        .collect();
    if !numbers::luhn(&number) {
        let refusal = Refusal::card("incorrect_number", None, "Your card number is incorrect.");
        return Err(refusal.with("param", "number"));
    }
    form.required("card.exp_month")?;
    form.required("card.exp_year")?;
    let month = form.integer("card.exp_month")?.unwrap_or_default();
    let year = form
        .integer("card.exp_year")?
        .map_or(0, |year| if year < 100 { 2000 + year } else { year });
    check_expiry(month, year, now)?;
    let (brand, _) = numbers::brand_of(&number);
    let mut card = shown(&number, month, year, seed);
    if let Some(cvc) = form.text("card.cvc") {
        let length = if brand == "amex" { 4 } else { 3 };
        if cvc.len() != length || !cvc.bytes().all(|byte| byte.is_ascii_digit()) {
            let refusal = Refusal::card("invalid_cvc", None, "Your card's security code is invalid.");
            return Err(refusal.with("param", "cvc"));
        }
        let check = if number == "4000000000000127" {
            "fail"
        } else {
            "pass"
        };
        card.checks["cvc_check"] = json!(check);
    }
    if form.text("billing_details.address.postal_code").is_some() {
        card.checks["address_postal_code_check"] = json!("pass");
    }
    Ok((card, numbers::card_nature(&number)))
}

/// The card behind a token such as `pm_card_visa`.
pub fn card_of_token(token: &str, seed: u64, now: i64) -> Option<(Card, Nature)> {
    let number = numbers::number_of_token(token)?;
    Some((
        shown(number, 12, year_and_month(now).0 + 2, seed),
        numbers::card_nature(number),
    ))
}

/// Refuses dates that are no dates, and those that have passed.
///
/// # Errors
/// `invalid_expiry_month`, `invalid_expiry_year`.
pub fn check_expiry(month: i64, year: i64, now: i64) -> Result<(), Refusal> {
    let (this_year, this_month) = year_and_month(now);
    if !(1..=12).contains(&month) || (year == this_year && month < this_month) {
        let refusal = Refusal::card(
            "invalid_expiry_month",
            None,
            "Your card's expiration month is invalid.",
        );
        return Err(refusal.with("param", "exp_month"));
    }
    if !(this_year..=this_year + 50).contains(&year) {
        let refusal = Refusal::card(
            "invalid_expiry_year",
            None,
            "Your card's expiration year is invalid.",
        );
        return Err(refusal.with("param", "exp_year"));
    }
    Ok(())
}

/// Whether the card's last month has passed.
pub fn expired(card: &Card, now: i64) -> bool {
    (card.exp_year, card.exp_month) < year_and_month(now)
}

/// Reads `us_bank_account[…]`.
///
/// # Errors
/// When the routing number is not the test one, or the account number is none.
pub fn bank(form: &Form, seed: u64) -> Result<(UsBankAccount, Nature), Refusal> {
    let routing = form.required("us_bank_account.routing_number")?;
    if routing != numbers::ROUTING_NUMBER {
        let message =
            "You must use a test bank account number in test mode. Try 000123456789 with 110000000.";
        return Err(Refusal::invalid(message)
            .with("code", "routing_number_invalid")
            .with("param", "us_bank_account[routing_number]"));
    }
    let account = form.required("us_bank_account.account_number")?;
    if account.len() < 4 || !account.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refusal::invalid("The account number is invalid.")
            .with("code", "account_number_invalid")
            .with("param", "us_bank_account[account_number]"));
    }
    let mut shown = bank_shown(account, seed);
    for (path, field) in [
        (
            "us_bank_account.account_holder_type",
            &mut shown.account_holder_type,
        ),
        ("us_bank_account.account_type", &mut shown.account_type),
    ] {
        if let Some(text) = form.text(path) {
            text.clone_into(field);
        }
    }
    Ok((shown, numbers::bank_nature(account)))
}

/// The account behind a token such as `pm_usBankAccount_success`.
pub fn bank_of_token(token: &str, seed: u64) -> Option<(UsBankAccount, Nature)> {
    let account = numbers::account_of_token(token)?;
    Some((bank_shown(account, seed), numbers::bank_nature(account)))
}

fn shown(number: &str, exp_month: i64, exp_year: i64, seed: u64) -> Card {
    let (brand, funding) = numbers::brand_of(number);
    Card {
        brand: brand.into(),
        checks: json!({ "address_line1_check": null, "address_postal_code_check": null, "cvc_check": null }),
        country: "US".into(),
        display_brand: brand.into(),
        exp_month,
        exp_year,
        fingerprint: fingerprint(number, seed),
        funding: funding.into(),
        generated_from: None,
        last4: last4(number),
        networks: json!({ "available": [brand], "preferred": null }),
        three_d_secure_usage: json!({ "supported": true }),
        wallet: None,
    }
}

fn bank_shown(account: &str, seed: u64) -> UsBankAccount {
    UsBankAccount {
        account_holder_type: "individual".into(),
        account_type: "checking".into(),
        bank_name: "STRIPE TEST BANK".into(),
        financial_connections_account: None,
        fingerprint: fingerprint(account, seed),
        last4: last4(account),
        networks: json!({ "preferred": "ach", "supported": ["ach"] }),
        routing_number: numbers::ROUTING_NUMBER.into(),
        status_details: None,
    }
}

fn wallet(kind: &str) -> Value {
    json!({ "type": kind, kind: {}, "dynamic_last4": "4242" })
}

fn fingerprint(number: &str, seed: u64) -> String {
    letters(&[b"fingerprint", &seed.to_be_bytes(), number.as_bytes()])
        .chars()
        .take(16)
        .collect()
}

fn last4(number: &str) -> String {
    number
        .get(number.len().saturating_sub(4)..)
        .unwrap_or_default()
        .to_owned()
}

fn year_and_month(now: i64) -> (i64, i64) {
    let date = jiff::Timestamp::from_second(now)
        .unwrap_or_default()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    (i64::from(date.year()), i64::from(date.month()))
}
