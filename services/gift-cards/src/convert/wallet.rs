use proto::giftcards::v1 as pb;

use super::money;
use crate::domain::{
    gift_card::GiftCardKind,
    hold::HoldState,
    wallet::{Balance, BalanceSource, Subject, Transaction},
};

pub(crate) fn wallet(balances: Vec<Balance>) -> pb::Wallet {
    pb::Wallet {
        balances: balances.into_iter().map(balance).collect(),
    }
}

pub(crate) fn balance(balance: Balance) -> pb::Balance {
    let common = pb::Balance {
        balance_id: balance.id.to_string(),
        r#type: "joebucks".to_owned(),
        available: Some(money(balance.available)),
        held: Some(money(balance.held)),
        pending: Some(money(balance.pending)),
        kind: kind(&balance.source).into(),
        is_active: balance.source.is_active(),
        company_id: String::new(),
        company_name: String::new(),
        gift_card_id: String::new(),
        design: String::new(),
        code_suffix: String::new(),
        name: balance.source.name(),
    };
    match balance.source {
        BalanceSource::JoePass => common,
        BalanceSource::GiftCard(card) => pb::Balance {
            gift_card_id: card.id.to_string(),
            design: card.design,
            code_suffix: card.code_suffix,
            ..common
        },
        BalanceSource::CompanyCard(card) => pb::Balance {
            company_id: card.company_id.to_string(),
            company_name: card.company_name,
            gift_card_id: card.id.to_string(),
            ..common
        },
    }
}

fn kind(source: &BalanceSource) -> pb::BalanceKind {
    match source {
        BalanceSource::JoePass => pb::BalanceKind::Joepass,
        BalanceSource::GiftCard(card) if card.kind == GiftCardKind::Physical => {
            pb::BalanceKind::PhysicalGiftCard
        }
        BalanceSource::GiftCard(_) => pb::BalanceKind::GiftCard,
        BalanceSource::CompanyCard(_) => pb::BalanceKind::CompanyCard,
    }
}

pub(crate) fn transactions(transactions: Vec<Transaction>) -> pb::ListTransactionsResponse {
    pb::ListTransactionsResponse {
        transactions: transactions.into_iter().map(transaction).collect(),
    }
}

fn transaction(transaction: Transaction) -> pb::Transaction {
    let common = pb::Transaction {
        transaction_id: transaction.id.to_string(),
        kind: transaction.kind,
        amount: Some(money(transaction.amount)),
        balance_after: Some(money(transaction.balance_after)),
        at: transaction.at.to_string(),
        title: transaction.title,
        balance_id: transaction.balance_id.to_string(),
        balance_kind: kind(&transaction.source).into(),
        balance_name: transaction.source.name(),
        order_id: String::new(),
        state: String::new(),
        store_id: String::new(),
        purchase_id: String::new(),
    };
    let text = |id: Option<types::StoreId>| id.map(|id| id.to_string()).unwrap_or_default();
    match transaction.subject {
        Subject::Order {
            id,
            hold_state,
            store_id,
        } => pb::Transaction {
            order_id: id.to_string(),
            state: state(hold_state).to_owned(),
            store_id: text(store_id),
            ..common
        },
        Subject::Purchase(id) => pb::Transaction {
            purchase_id: id.to_string(),
            ..common
        },
        Subject::CounterPayment { store_id } => pb::Transaction {
            store_id: text(store_id),
            ..common
        },
        Subject::Other => common,
    }
}

const fn state(hold_state: Option<HoldState>) -> &'static str {
    match hold_state {
        Some(HoldState::Held) => "held",
        Some(HoldState::Captured) => "paid",
        Some(HoldState::Released) => "released",
        Some(HoldState::Refunded) => "refunded",
        Some(HoldState::Closed) | None => "",
    }
}
