//! The provider's documented test numbers and tokens, and what each stands for.

use crate::nature::{Authentication, Decline, Nature, Settlement};

/// Number, token, what it does.
type TestCard = (&'static str, &'static str, Behaviour);

#[derive(Debug, Clone, Copy)]
enum Behaviour {
    Approves,
    /// Refused when attached and when charged.
    Declines(&'static str),
    /// Attaches, and is refused when charged.
    DeclinesCharge(&'static str),
    Authenticates(Authentication),
    AuthenticatesThenDeclines(&'static str),
    Disputed,
}

use Behaviour::{Approves, Authenticates, AuthenticatesThenDeclines, Declines, DeclinesCharge, Disputed};

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

/// Account number, token, what becomes of a debit.
const BANKS: &[(&str, &str, &str)] = &[
    ("000123456789", "success", "settles"),
    ("000111111113", "accountClosed", "account_closed"),
    ("000111111116", "noAccount", "no_account"),
    ("000222222227", "insufficientFunds", "insufficient_funds"),
    ("000333333335", "debitNotAuthorized", "debit_not_authorized"),
    ("000555555559", "dispute", "disputed"),
    ("000000000009", "processing", "never"),
];

/// The only routing number of test mode.
pub const ROUTING_NUMBER: &str = "110000000";

/// The number that `pm_card_visa`, `pm_card_visa_chargeDeclined` or `tok_visa` stands for.
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

/// The account that `pm_usBankAccount_success` stands for.
pub fn account_of_token(token: &str) -> Option<&'static str> {
    let name = token.strip_prefix("pm_usBankAccount")?.trim_start_matches('_');
    let name = if name.is_empty() { "success" } else { name };
    BANKS
        .iter()
        .find(|(_, token, _)| *token == name)
        .map(|(account, _, _)| *account)
}

/// How a card of this number behaves. A real card's number is refused, as in the provider's test mode.
pub fn card_nature(number: &str) -> Nature {
    let behaviour = CARDS
        .iter()
        .find(|(known, _, _)| *known == number)
        .map(|(_, _, behaviour)| *behaviour);
    let nature = Nature::default();
    match behaviour.unwrap_or(Declines("test_mode_live_card")) {
        Approves => nature,
        Declines(name) => {
            let decline = Some(Decline::named(name));
            Nature {
                on_attach: decline.clone(),
                on_charge: decline,
                ..nature
            }
        }
        DeclinesCharge(name) => Nature {
            on_charge: Some(Decline::named(name)),
            ..nature
        },
        Authenticates(authentication) => Nature {
            authentication,
            ..nature
        },
        AuthenticatesThenDeclines(name) => Nature {
            authentication: Authentication::Always,
            on_charge: Some(Decline::named(name)),
            ..nature
        },
        Disputed => Nature {
            disputed: true,
            ..nature
        },
    }
}

/// What becomes of a debit from this account; accounts that are not in the table settle.
pub fn bank_nature(account: &str) -> Nature {
    let known = BANKS
        .iter()
        .find(|(known, _, _)| *known == account)
        .map_or("settles", |(_, _, what)| what);
    let settlement = match known {
        "settles" => Settlement::Settles,
        "disputed" => Settlement::SettlesThenDisputed,
        "never" => Settlement::Never,
        code => Settlement::Returns(code.to_owned()),
    };
    Nature {
        settlement,
        ..Nature::default()
    }
}

/// Brand and funding, from a number's first digits.
pub fn brand_of(number: &str) -> (&'static str, &'static str) {
    let funding = if matches!(number, "4000056655665556" | "5200828282828210") {
        "debit"
    } else {
        "credit"
    };
    let brand = match number.as_bytes() {
        [b'4', ..] => "visa",
        [b'5', ..] | [b'2', ..] => "mastercard",
        [b'3', b'4' | b'7', ..] => "amex",
        [b'6', ..] => "discover",
        _ => "unknown",
    };
    (brand, funding)
}

/// The check digit that every card number ends with.
pub fn luhn(number: &str) -> bool {
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
    fn every_test_number_has_a_right_check_digit() {
        for (number, token, _) in CARDS {
            assert!(luhn(number), "{token}");
        }
        assert!(!luhn("4242424242424241"));
        assert!(!luhn("4242"));
    }

    #[test]
    fn tokens_stand_for_numbers() {
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
