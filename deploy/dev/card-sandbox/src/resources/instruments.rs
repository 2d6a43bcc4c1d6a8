//! Reads cards and bank accounts from parameters and tokens. Full numbers are never stored.

use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::card_behavior::CardBehavior;
use crate::form::Form;
use crate::ids::derive_letters;
use crate::objects::{Card, UsBankAccount};
use crate::test_numbers;

/// The number of the test card that fails the check of its security code.
const INCORRECT_CVC_NUMBER: &str = "4000000000000127";

/// Reads the parameters `card[…]`: a token, or a number with its expiration date.
///
/// # Errors
/// The provider's errors for invalid numbers, expiration dates and security codes.
pub fn card_from_form(form: &Form, seed: u64, now: i64) -> Result<(Card, CardBehavior), ApiError> {
    if let Some(token) = form.text("card.token") {
        let number = test_numbers::number_of_token(token)
            .ok_or_else(|| ApiError::missing_reference("token", token, "card[token]"))?;
        let mut card = card_details(number, 12, year_and_month(now).0 + 2, seed);
        card.wallet = form.text("card.wallet").map(wallet_details);
        return Ok((card, test_numbers::behavior_of_card(number)));
    }
    let number: String = form
        .required("card.number")?
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect();
    if !test_numbers::has_valid_check_digit(&number) {
        let error = ApiError::card("incorrect_number", None, "Your card number is incorrect.");
        return Err(error.with("param", "number"));
    }
    form.required("card.exp_month")?;
    form.required("card.exp_year")?;
    let month = form.integer("card.exp_month")?.unwrap_or_default();
    let year = form
        .integer("card.exp_year")?
        .map_or(0, |year| if year < 100 { 2000 + year } else { year });
    check_expiry(month, year, now)?;
    let (brand, _) = test_numbers::brand_of(&number);
    let mut card = card_details(&number, month, year, seed);
    if let Some(cvc) = form.text("card.cvc") {
        let length = if brand == "amex" { 4 } else { 3 };
        if cvc.len() != length || !cvc.bytes().all(|byte| byte.is_ascii_digit()) {
            let error = ApiError::card("invalid_cvc", None, "Your card's security code is invalid.");
            return Err(error.with("param", "cvc"));
        }
        let check = if number == INCORRECT_CVC_NUMBER {
            "fail"
        } else {
            "pass"
        };
        card.checks["cvc_check"] = json!(check);
    }
    if form.text("billing_details.address.postal_code").is_some() {
        card.checks["address_postal_code_check"] = json!("pass");
    }
    Ok((card, test_numbers::behavior_of_card(&number)))
}

/// Returns the card of a token such as `pm_card_visa`.
pub fn card_from_token(token: &str, seed: u64, now: i64) -> Option<(Card, CardBehavior)> {
    let number = test_numbers::number_of_token(token)?;
    Some((
        card_details(number, 12, year_and_month(now).0 + 2, seed),
        test_numbers::behavior_of_card(number),
    ))
}

/// # Errors
/// `invalid_expiry_month` or `invalid_expiry_year` if the month does not exist or has passed.
fn check_expiry(month: i64, year: i64, now: i64) -> Result<(), ApiError> {
    let (this_year, this_month) = year_and_month(now);
    if !(1..=12).contains(&month) || (year == this_year && month < this_month) {
        let error = ApiError::card(
            "invalid_expiry_month",
            None,
            "Your card's expiration month is invalid.",
        );
        return Err(error.with("param", "exp_month"));
    }
    if !(this_year..=this_year + 50).contains(&year) {
        let error = ApiError::card(
            "invalid_expiry_year",
            None,
            "Your card's expiration year is invalid.",
        );
        return Err(error.with("param", "exp_year"));
    }
    Ok(())
}

/// Returns whether the card's last month has passed.
pub fn is_expired(card: &Card, now: i64) -> bool {
    (card.exp_year, card.exp_month) < year_and_month(now)
}

/// Reads the parameters `us_bank_account[…]`.
///
/// # Errors
/// If the routing number is not the test one, or the account number is invalid.
pub fn bank_account_from_form(form: &Form, seed: u64) -> Result<(UsBankAccount, CardBehavior), ApiError> {
    let routing = form.required("us_bank_account.routing_number")?;
    if routing != test_numbers::ROUTING_NUMBER {
        let message =
            "You must use a test bank account number in test mode. Try 000123456789 with 110000000.";
        return Err(ApiError::invalid(message)
            .with("code", "routing_number_invalid")
            .with("param", "us_bank_account[routing_number]"));
    }
    let account = form.required("us_bank_account.account_number")?;
    if account.len() < 4 || !account.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ApiError::invalid("The account number is invalid.")
            .with("code", "account_number_invalid")
            .with("param", "us_bank_account[account_number]"));
    }
    let mut details = bank_account_details(account, seed);
    for (path, field) in [
        (
            "us_bank_account.account_holder_type",
            &mut details.account_holder_type,
        ),
        ("us_bank_account.account_type", &mut details.account_type),
    ] {
        if let Some(text) = form.text(path) {
            text.clone_into(field);
        }
    }
    Ok((details, test_numbers::behavior_of_account(account)))
}

/// Returns the bank account of a token such as `pm_usBankAccount_success`.
pub fn bank_account_from_token(token: &str, seed: u64) -> Option<(UsBankAccount, CardBehavior)> {
    let account = test_numbers::account_of_token(token)?;
    Some((
        bank_account_details(account, seed),
        test_numbers::behavior_of_account(account),
    ))
}

fn card_details(number: &str, exp_month: i64, exp_year: i64, seed: u64) -> Card {
    let (brand, funding) = test_numbers::brand_of(number);
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

fn bank_account_details(account: &str, seed: u64) -> UsBankAccount {
    UsBankAccount {
        account_holder_type: "individual".into(),
        account_type: "checking".into(),
        bank_name: "STRIPE TEST BANK".into(),
        financial_connections_account: None,
        fingerprint: fingerprint(account, seed),
        last4: last4(account),
        networks: json!({ "preferred": "ach", "supported": ["ach"] }),
        routing_number: test_numbers::ROUTING_NUMBER.into(),
        status_details: None,
    }
}

fn wallet_details(kind: &str) -> Value {
    json!({ "type": kind, kind: {}, "dynamic_last4": "4242" })
}

fn fingerprint(number: &str, seed: u64) -> String {
    derive_letters(&[b"fingerprint", &seed.to_be_bytes(), number.as_bytes()])
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
