//! Many consumers of one card, and the ledger against a model.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::accounts::{IN_FLIGHT, RECEIPTS, SALES};
use proptest::{prelude::*, test_runner::TestRunner};
use proto::giftcards::v1::{AddFundsRequest, HoldState, Purchase};
use types::{ConsumerId, OrderId};

use crate::{
    charge_events::{returned, settled},
    fake_services::{BANK, CARD},
    harness::{Harness, accepted, at, cancelled, new_order, usd},
    purchases::source,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_concurrent_spenders_of_one_card_never_overdraw_it() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(10_000).await;
    let spenders = (0..64).map(|number| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move {
            let mut spent = 0;
            for _ in 0..4 {
                let (order, cents) = (new_order(), 90 + number);
                if harness.hold(order, consumer, cents).await.is_ok() {
                    match number % 3 {
                        0 => drop(harness.close_hold(order).await),
                        _ => {
                            harness.receive(accepted(order)).await.unwrap();
                            spent += cents;
                        }
                    }
                }
            }
            spent
        })
    });
    let spent: i64 = join_all(spenders).await.into_iter().map(Result::unwrap).sum();
    assert!(spent <= 10_000);
    assert_eq!(harness.wallet(consumer).await, (10_000 - spent, 0));
    assert_eq!(harness.sum_of_postings(SALES).await, spent);
    Arc::into_inner(harness).unwrap().close().await;
}

/// A step of the model.
#[derive(Debug, Clone, Copy)]
enum Step {
    AddByCard(i64),
    AddByBank(i64),
    Settle(usize),
    Return(usize),
    Hold(i64),
    Accept(usize),
    Cancel(usize),
    RefundPart(usize, i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1_000..5_000_i64).prop_map(Step::AddByCard),
        (1_000..5_000_i64).prop_map(Step::AddByBank),
        any::<usize>().prop_map(Step::Settle),
        any::<usize>().prop_map(Step::Return),
        (1..4_000_i64).prop_map(Step::Hold),
        any::<usize>().prop_map(Step::Accept),
        any::<usize>().prop_map(Step::Cancel),
        (any::<usize>(), 1..2_000_i64).prop_map(|(order, cents)| Step::RefundPart(order, cents)),
    ]
}

/// What the balance must be.
#[derive(Debug, Default)]
struct Model {
    available: i64,
    sales: i64,
    /// By bank debit: amount, whether it settled, whether it was returned.
    debits: Vec<(Purchase, i64, bool, bool)>,
    /// Amount that was not refunded in part, whether a store accepted, whether it ended.
    orders: Vec<(OrderId, i64, bool, bool)>,
    receipts: i64,
}

impl Model {
    async fn apply(&mut self, harness: &Harness, consumer: ConsumerId, number: usize, step: Step) {
        let request = |cents, method| AddFundsRequest {
            amount: usd(cents),
            payment: source(method),
            balance_id: String::new(),
            idempotency_key: format!("key-of-step-{number}"),
        };
        match step {
            Step::AddByCard(cents) => {
                harness.add_funds(consumer, request(cents, CARD)).await.unwrap();
                self.available += cents;
                self.receipts += cents;
            }
            Step::AddByBank(cents) => {
                let purchase = harness.add_funds(consumer, request(cents, BANK)).await.unwrap();
                self.debits.push((purchase, cents, false, false));
            }
            Step::Settle(index) if !self.debits.is_empty() => {
                let index = index % self.debits.len();
                let (purchase, cents, is_settled, is_returned) = &mut self.debits[index];
                harness.receive(settled(purchase)).await.unwrap();
                if !*is_settled && !*is_returned {
                    *is_settled = true;
                    self.available += *cents;
                    self.receipts += *cents;
                }
            }
            Step::Return(index) if !self.debits.is_empty() => {
                let index = index % self.debits.len();
                let (purchase, cents, is_settled, is_returned) = &mut self.debits[index];
                harness.receive(returned(purchase)).await.unwrap();
                if !*is_returned {
                    *is_returned = true;
                    if *is_settled {
                        self.available -= self.available.min(*cents);
                        self.receipts -= *cents;
                    }
                }
            }
            Step::Hold(cents) => {
                let order = new_order();
                let hold = harness.hold(order, consumer, cents).await;
                assert_eq!(hold.is_ok(), cents <= self.available);
                if hold.is_ok() {
                    self.available -= cents;
                    self.orders.push((order, cents, false, false));
                }
            }
            Step::Accept(index) if !self.orders.is_empty() => {
                let index = index % self.orders.len();
                let (order, cents, is_accepted, is_ended) = &mut self.orders[index];
                harness.receive(accepted(*order)).await.unwrap();
                if !*is_accepted && !*is_ended {
                    *is_accepted = true;
                    self.sales += *cents;
                }
            }
            Step::Cancel(index) if !self.orders.is_empty() => {
                let index = index % self.orders.len();
                let (order, cents, is_accepted, is_ended) = &mut self.orders[index];
                harness.receive(cancelled(*order)).await.unwrap();
                if !*is_ended {
                    *is_ended = true;
                    self.available += *cents;
                    if *is_accepted {
                        self.sales -= *cents;
                    }
                }
                let hold = harness.close_hold(*order).await;
                assert_eq!(hold.state(), HoldState::Released);
            }
            Step::RefundPart(index, part) if !self.orders.is_empty() => {
                self.refund_part(harness, index, part, number).await;
            }
            Step::Settle(_) | Step::Return(_) | Step::Accept(_) | Step::Cancel(_) | Step::RefundPart(..) => {}
        }
    }

    async fn refund_part(&mut self, harness: &Harness, index: usize, part: i64, number: usize) {
        let index = index % self.orders.len();
        let (order, cents, is_accepted, is_ended) = &mut self.orders[index];
        let refund = format!("refund-of-step-{number}");
        let is_refunded = harness.refund_hold(*order, &refund, part).await.is_ok();
        assert_eq!(is_refunded, *is_accepted && !*is_ended && part <= *cents);
        if is_refunded {
            harness.refund_hold(*order, &refund, part).await.unwrap();
            *cents -= part;
            self.available += part;
            self.sales -= part;
        }
    }

    fn in_flight(&self) -> i64 {
        let held = self
            .orders
            .iter()
            .filter(|(_, _, is_accepted, is_ended)| !is_accepted && !is_ended);
        held.map(|(_, cents, ..)| cents).sum()
    }

    async fn check(&self, harness: &Harness, consumer: ConsumerId) {
        assert_eq!(harness.wallet(consumer).await, (self.available, self.in_flight()));
        let sums = [IN_FLIGHT, SALES, RECEIPTS].map(|account| harness.sum_of_postings(account));
        let [in_flight, sales, receipts] = sums;
        assert_eq!(
            (in_flight.await, sales.await, receipts.await),
            (self.in_flight(), self.sales, -self.receipts)
        );
        let lines = harness.transactions(consumer, 100, 0).await;
        let sum: i64 = lines
            .iter()
            .map(|line| line.amount.as_ref().unwrap().minor_units)
            .sum();
        assert_eq!(sum, self.available, "the lines sum to the balance");
        assert_eq!(harness.audit_findings().await, []);
    }
}

#[test]
fn balances_follow_the_model() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&prop::collection::vec(step(), 1..24), |steps| {
            runtime.block_on(async {
                let harness = Harness::start().await;
                let consumer = ConsumerId::new(at());
                let mut model = Model::default();
                for (number, step) in steps.into_iter().enumerate() {
                    model.apply(&harness, consumer, number, step).await;
                }
                model.check(&harness, consumer).await;
                harness.close().await;
            });
            Ok(())
        })
        .unwrap();
}
