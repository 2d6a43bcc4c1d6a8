//! Sums: ledgers, capacity, promo codes, and work that is not yet done.

use sqlx::{FromRow, PgConnection, postgres::PgRow};
use uuid::Uuid;

use super::{Databases, Finding};

/// `IN_FLIGHT` of gift cards.
const IN_FLIGHT: Uuid = Uuid::from_u128(2);

pub async fn check(databases: &mut Databases) -> Vec<Finding> {
    let mut findings = Vec::new();
    for service in ["gift-cards", "rewards"] {
        findings.extend(ledger_findings(databases.get(service)).await);
    }
    findings.extend(in_flight(databases.get("gift-cards")).await);
    findings.extend(capacity(databases.get("stores")).await);
    findings.extend(promo_codes(databases.get("rewards")).await);
    findings.extend(effects(databases.get("payments")).await);
    for (service, ..) in super::super::seeds::SERVICES {
        let waiting: i64 = count(databases.get(service), "SELECT count(*) FROM outbox").await;
        if waiting != 0 {
            findings.push(Finding::new("all events are published", service, waiting));
        }
    }
    findings
}

async fn rows<T>(database: &mut PgConnection, query: &'static str) -> Vec<T>
where
    T: for<'row> FromRow<'row, PgRow> + Send + Unpin,
{
    sqlx::query_as(query).fetch_all(database).await.unwrap()
}

async fn count(database: &mut PgConnection, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(database).await.unwrap()
}

/// Compares each balance with its postings, in one statement and so in one snapshot.
pub async fn ledger_findings(database: &mut PgConnection) -> Vec<Finding> {
    let accounts: Vec<(Uuid, i64, i64, i64, i64)> = rows(
        database,
        "SELECT account_id, balance, line, coalesce(sum(side.amount), 0)::bigint, count(side.amount)
         FROM ledger.balances LEFT JOIN (
             SELECT from_account AS account, -amount AS amount FROM ledger.postings
             UNION ALL SELECT to_account, amount FROM ledger.postings) AS side ON side.account = account_id
         GROUP BY account_id",
    )
    .await;
    let mut findings = Vec::new();
    for (account, balance, line, sum, postings) in accounts {
        if balance != sum || line != postings {
            findings.push(Finding::new(
                "a balance is the sum of its postings",
                account,
                format!("{balance} after {line} lines, {sum} in {postings} postings"),
            ));
        }
        if balance < 0 {
            findings.push(Finding::new("no balance is negative", account, balance));
        }
    }
    findings
}

async fn in_flight(gift_cards: &mut PgConnection) -> Option<Finding> {
    let (in_flight, held): (i64, i64) = sqlx::query_as(
        "SELECT (SELECT coalesce(sum(CASE to_account WHEN $1 THEN amount ELSE -amount END), 0)::bigint
                 FROM ledger.postings WHERE $1 IN (from_account, to_account)),
                (SELECT coalesce(sum(amount), 0)::bigint FROM holds WHERE state = 'held')",
    )
    .bind(IN_FLIGHT)
    .fetch_one(gift_cards)
    .await
    .unwrap();
    (in_flight != held).then(|| {
        Finding::new(
            "value in flight is the sum of live holds",
            "gift-cards",
            format!("{in_flight} in flight, {held} held"),
        )
    })
}

async fn capacity(stores: &mut PgConnection) -> Vec<Finding> {
    let slots: Vec<(Uuid, i64, i64, i64)> = rows(
        stores,
        "SELECT store_id, slot, coalesce(used, 0), coalesce(reserved, 0)
         FROM (SELECT store_id, slot, used_seconds::bigint AS used FROM capacity_slots) AS used
         FULL JOIN (SELECT store_id, slot, sum(seconds)::bigint AS reserved
                    FROM reservations, unnest(slots, slot_seconds) AS allocation (slot, seconds)
                    WHERE released_at IS NULL GROUP BY store_id, slot) AS reserved USING (store_id, slot)
         WHERE coalesce(used, 0) <> coalesce(reserved, 0)",
    )
    .await;
    slots
        .into_iter()
        .map(|(store, slot, used, reserved)| {
            Finding::new(
                "used capacity is the sum of active reservations",
                store,
                format!("slot {slot}: {used} s used, {reserved} s reserved"),
            )
        })
        .collect()
}

async fn promo_codes(rewards: &mut PgConnection) -> Vec<Finding> {
    let codes: Vec<(String, i64, i64)> = rows(
        rewards,
        "SELECT promos.code, claim_count, count(claims.order_id)
         FROM promos LEFT JOIN claims ON claims.code = promos.code AND claims.state = 'claimed'
         WHERE max_claims IS NOT NULL GROUP BY promos.code
         HAVING claim_count <> count(claims.order_id)",
    )
    .await;
    let mut findings: Vec<_> = codes
        .into_iter()
        .map(|(code, counted, claims)| {
            Finding::new(
                "a limited code counts its claims",
                code,
                format!("{counted} counted, {claims} claims"),
            )
        })
        .collect();
    let repeated: Vec<(Uuid, String, i64)> = rows(
        rewards,
        "SELECT claims.consumer_id, claims.code, count(*) FROM claims JOIN promos USING (code)
         WHERE promos.once AND claims.state = 'claimed' AND claims.consumer_id IS NOT NULL
         GROUP BY claims.consumer_id, claims.code HAVING count(*) > 1",
    )
    .await;
    findings.extend(repeated.into_iter().map(|(consumer, code, claims)| {
        Finding::new(
            "a consumer uses a one-time code once",
            consumer,
            format!("{code}: {claims} claims"),
        )
    }));
    findings
}

async fn effects(payments: &mut PgConnection) -> Vec<Finding> {
    let effects: Vec<(Uuid, String, String, i32)> = rows(
        payments,
        "SELECT subject_id, kind, state, attempts FROM effects WHERE state <> 'done'",
    )
    .await;
    effects
        .into_iter()
        .map(|(subject, kind, state, attempts)| {
            Finding::new(
                "all effects are executed",
                subject,
                format!("{kind} is {state} after {attempts} attempts"),
            )
        })
        .collect()
}
