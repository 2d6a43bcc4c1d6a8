//! The provider's documented test numbers and tokens, and their behaviors.

use crate::card_behavior::{Authentication, CardBehavior, Decline, Settlement};

/// A card number, the suffix of its token, and what the card does.
type TestCard = (&'static str, &'static str, CardScenario);

#[derive(Debug, Clone, Copy)]
enum CardScenario {
    Approves,
    /// Declines being attached and charged.
    Declines(&'static str),
    /// Can be attached, but declines being charged.
    DeclinesCharge(&'static str),
    Authenticates(Authentication),
    AuthenticatesThenDeclines(&'static str),
    Disputed,
}

use CardScenario::{Approves, Authenticates, AuthenticatesThenDeclines, Declines, DeclinesCharge, Disputed};

const CARDS: &[TestCard] = &[
    ("4242424242424242", "visa", Approves),
    ("4000056655665556", "visa_debit", Approves),
    ("5555555555554444", "mastercard", Approves),
    ("2223003122003222", "mastercard_2_series", Approves),
    ("5200828282828210", "mastercard_debit", Approves),
    ("378282246310005", "amex", Approves),
    ("6011111111111117", "discover", Approves),
    ("4000000000000002", "chargeDeclined", Declines("generic_decline")),
    (
        "4000000000009995",
        "chargeDeclinedInsufficientFunds",
        Declines("insufficient_funds"),
    ),
    (
        "4000000000009987",
        "chargeDeclinedLostCard",
        Declines("lost_card"),
    ),
    (
        "4000000000009979",
        "chargeDeclinedStolenCard",
        Declines("stolen_card"),
    ),
    (
        "4000000000000069",
        "chargeDeclinedExpiredCard",
        Declines("expired_card"),
    ),
    (
        "4000000000000127",
        "chargeDeclinedIncorrectCvc",
        Declines("incorrect_cvc"),
    ),
    (
        "4000000000000119",
        "chargeDeclinedProcessingError",
        Declines("processing_error"),
    ),
    ("4100000000000019", "radarBlock", Declines("fraudulent")),
    (
        "4000000000000341",
        "chargeCustomerFail",
        DeclinesCharge("generic_decline"),
    ),
    (
        "4000002500003155",
        "authenticationRequiredOnSetup",
        Authenticates(Authentication::UntilSetUp),
    ),
    (
        "4000002760003184",
        "authenticationRequired",
        Authenticates(Authentication::Always),
    ),
    (
        "4000000000003220",
        "threeDSecure2Required",
        Authenticates(Authentication::Always),
    ),
    (
        "4000008260003178",
        "authenticationRequiredChargeDeclinedInsufficientFunds",
        AuthenticatesThenDeclines("insufficient_funds"),
    ),
    ("4000000000000259", "createDispute", Disputed),
];

/// A bank account number, the suffix of its token, and the result of a debit.
type TestAccount = (&'static str, &'static str, DebitScenario);

#[derive(Debug, Clone, Copy)]
enum DebitScenario {
    Settles,
    Returns(&'static str),
    SettlesThenDisputed,
    /// Stays in processing until an admin call decides it.
    WaitsForAdmin,
}

const ACCOUNTS: &[TestAccount] = &[
    ("000123456789", "success", DebitScenario::Settles),
    (
        "000111111113",
        "accountClosed",
        DebitScenario::Returns("account_closed"),
    ),
    ("000111111116", "noAccount", DebitScenario::Returns("no_account")),
    (
        "000222222227",
        "insufficientFunds",
        DebitScenario::Returns("insufficient_funds"),
    ),
    (
        "000333333335",
        "debitNotAuthorized",
        DebitScenario::Returns("debit_not_authorized"),
    ),
    ("000555555559", "dispute", DebitScenario::SettlesThenDisputed),
    ("000000000009", "processing", DebitScenario::WaitsForAdmin),
];

/// The only routing number of test mode.
pub const ROUTING_NUMBER: &str = "110000000";

/// Returns the card number of a token such as `pm_card_visa`, `pm_card_visa_chargeDeclined` or `tok_visa`.
pub fn number_of_token(token: &str) -> Option<&'static str> {
    let name = token
        .strip_prefix("pm_card_")
        .or_else(|| token.strip_prefix("tok_"))?;
    let short = name.strip_prefix("visa_").unwrap_or(name);
    CARDS
        .iter()
        .find(|(_, token, _)| *token == name || *token == short)
        .map(|(number, _, _)| *number)
}

/// Returns the account number of a token such as `pm_usBankAccount_success`.
pub fn account_of_token(token: &str) -> Option<&'static str> {
    let name = token.strip_prefix("pm_usBankAccount")?.trim_start_matches('_');
    let name = if name.is_empty() { "success" } else { name };
    ACCOUNTS
        .iter()
        .find(|(_, token, _)| *token == name)
        .map(|(account, _, _)| *account)
}

/// Returns the behavior of a card. Cards with other numbers are declined, as in the provider's test mode.
pub fn behavior_of_card(number: &str) -> CardBehavior {
    let scenario = CARDS
        .iter()
        .find(|(known, _, _)| *known == number)
        .map(|(_, _, scenario)| *scenario);
    let behavior = CardBehavior::default();
    match scenario.unwrap_or(Declines("test_mode_live_card")) {
        Approves => behavior,
        Declines(name) => {
            let decline = Some(Decline::of_card(name));
            CardBehavior {
                on_attach: decline.clone(),
                on_charge: decline,
                ..behavior
            }
        }
        DeclinesCharge(name) => CardBehavior {
            on_charge: Some(Decline::of_card(name)),
            ..behavior
        },
        Authenticates(authentication) => CardBehavior {
            authentication,
            ..behavior
        },
        AuthenticatesThenDeclines(name) => CardBehavior {
            authentication: Authentication::Always,
            on_charge: Some(Decline::of_card(name)),
            ..behavior
        },
        Disputed => CardBehavior {
            disputed: true,
            ..behavior
        },
    }
}

/// Returns the behavior of a bank account. Debits from accounts with other numbers settle.
pub fn behavior_of_account(account: &str) -> CardBehavior {
    let scenario = ACCOUNTS
        .iter()
        .find(|(known, _, _)| *known == account)
        .map_or(DebitScenario::Settles, |(_, _, scenario)| *scenario);
    let settlement = match scenario {
        DebitScenario::Settles => Settlement::Settles,
        DebitScenario::Returns(code) => Settlement::Returns(code.to_owned()),
        DebitScenario::SettlesThenDisputed => Settlement::SettlesThenDisputed,
        DebitScenario::WaitsForAdmin => Settlement::Never,
    };
    CardBehavior {
        settlement,
        ..CardBehavior::default()
    }
}

/// Returns the brand and the funding of a card number.
pub fn brand_of(number: &str) -> (&'static str, &'static str) {
    let funding = if matches!(number, "4000056655665556" | "5200828282828210") {
        "debit"
    } else {
        "credit"
    };
    let brand = match number.as_bytes() {
        [b'4', ..] => "visa",
        [b'5' | b'2', ..] => "mastercard",
        [b'3', b'4' | b'7', ..] => "amex",
        [b'6', ..] => "discover",
        _ => "unknown",
    };
    (brand, funding)
}

/// Returns whether a card number has a valid length and check digit (Luhn).
pub fn has_valid_check_digit(number: &str) -> bool {
    let digits: Option<Vec<u32>> = number.chars().map(|digit| digit.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| (12..=19).contains(&digits.len())) else {
        return false;
    };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, digit * 2) {
            (0, _) => *digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_number_has_a_valid_check_digit() {
        for (number, token, _) in CARDS {
            assert!(has_valid_check_digit(number), "{token}");
        }
        assert!(!has_valid_check_digit("4242424242424241"));
        assert!(!has_valid_check_digit("4242"));
    }

    #[test]
    fn tokens_identify_numbers() {
        assert_eq!(number_of_token("pm_card_visa"), Some("4242424242424242"));
        assert_eq!(
            number_of_token("pm_card_visa_chargeDeclinedInsufficientFunds"),
            Some("4000000000009995")
        );
        assert_eq!(number_of_token("tok_mastercard"), Some("5555555555554444"));
        assert_eq!(
            account_of_token("pm_usBankAccount_insufficientFunds"),
            Some("000222222227")
        );
        assert_eq!(number_of_token("pm_card_nothing"), None);
    }
}
