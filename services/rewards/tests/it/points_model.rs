//! Points against a model, for random sequences of events.

use std::collections::HashMap;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use proto::{
    ordering::v1::{EndReason, OrderSnapshot},
    rewards::v1::ClaimDiscountRequest,
    values::v1::JourneyStep,
};
use types::{ConsumerId, OrderId};

use crate::harness::{
    Harness, claim_request, completed, hold_refunded, new_consumer, new_order, order_end, order_snapshot,
    payment_failed, refund, rejected, usd,
};

const SEQUENCES: u32 = 40;
const ORDERS: usize = 3;
const REWARD_POINTS: i64 = 250;

/// What happens to one of the consumer's orders.
#[derive(Debug, Clone, Copy)]
enum Step {
    Complete {
        order: usize,
        cents: i64,
        in_app: bool,
    },
    Refund {
        order: usize,
        cents: i64,
        to_stored_value: bool,
    },
    LosePayment {
        order: usize,
    },
    UseReward {
        order: usize,
    },
    Reject {
        order: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let order = 0..ORDERS;
    prop_oneof![
        3 => (order.clone(), 0_i64..6_000, any::<bool>())
            .prop_map(|(order, cents, in_app)| Step::Complete { order, cents, in_app }),
        2 => (order.clone(), 1_i64..4_000, any::<bool>())
            .prop_map(|(order, cents, to_stored_value)| Step::Refund { order, cents, to_stored_value }),
        1 => order.clone().prop_map(|order| Step::LosePayment { order }),
        2 => order.clone().prop_map(|order| Step::UseReward { order }),
        1 => order.prop_map(|order| Step::Reject { order }),
    ]
}

#[derive(Debug, Default, Clone, Copy)]
struct Order {
    earning: i64,
    rate: i64,
    refunded: i64,
    is_unpaid: bool,
    /// Whether the order has a reward, and whether it can no longer get one.
    has_reward: bool,
    is_closed: bool,
}

impl Order {
    fn points(&self) -> i64 {
        let earned = (self.earning - self.refunded).max(0) / 100 * self.rate;
        let earned = if self.is_unpaid { 0 } else { earned };
        earned - if self.has_reward { REWARD_POINTS } else { 0 }
    }

    fn return_reward_if_refunded(&mut self) {
        // The store collected the discounted price of an unpaid order.
        if self.earning > 0 && self.refunded >= self.earning && self.has_reward && !self.is_unpaid {
            self.has_reward = false;
            self.is_closed = true;
        }
    }
}

/// The expected points.
#[derive(Debug, Default)]
struct Model(HashMap<usize, Order>);

impl Model {
    fn balance(&self) -> i64 {
        self.0.values().map(Order::points).sum()
    }

    fn apply(&mut self, step: Step) {
        let balance = self.balance();
        match step {
            Step::Complete { order, cents, in_app } => {
                let order = self.0.entry(order).or_default();
                order.earning = cents;
                order.rate = if in_app { 20 } else { 10 };
                order.return_reward_if_refunded();
            }
            Step::Refund { order, cents, .. } => {
                let order = self.0.entry(order).or_default();
                order.refunded += cents;
                order.return_reward_if_refunded();
            }
            Step::LosePayment { order } => self.0.entry(order).or_default().is_unpaid = true,
            Step::UseReward { order } => {
                let order = self.0.entry(order).or_default();
                if !order.has_reward && !order.is_closed && balance >= REWARD_POINTS {
                    order.has_reward = true;
                }
            }
            Step::Reject { order } => {
                let order = self.0.entry(order).or_default();
                if order.has_reward {
                    order.has_reward = false;
                    order.is_closed = true;
                }
            }
        }
    }
}

async fn perform(harness: &Harness, step: Step, consumer: ConsumerId, orders: &[OrderId]) {
    let snapshot = |order: usize| order_snapshot(orders[order], consumer);
    let received = match step {
        Step::Complete { order, cents, in_app } => {
            let journey_step = if in_app {
                JourneyStep::App
            } else {
                JourneyStep::Web
            };
            let order = OrderSnapshot {
                earning_minor_units: cents,
                total_minor_units: cents,
                journey_step: journey_step.into(),
                ..snapshot(order)
            };
            harness.receive(completed(order)).await
        }
        Step::Refund {
            order,
            cents,
            to_stored_value,
        } => {
            let order = orders[order];
            // The same refund twice.
            if to_stored_value {
                let event = hold_refunded(order, consumer, cents);
                harness.receive(event.clone()).await.unwrap();
                harness.receive(event).await
            } else {
                let event = refund(order, consumer, cents);
                harness.receive(event.clone()).await.unwrap();
                harness.receive(event).await
            }
        }
        Step::LosePayment { order } => harness.receive(payment_failed(snapshot(order))).await,
        Step::UseReward { order } => {
            let request = ClaimDiscountRequest {
                drink_price: usd(540),
                ..claim_request(orders[order], consumer, "REWARD250", 640)
            };
            // An order with a released reward cannot get another one.
            drop(harness.claim_discount(request).await);
            Ok(())
        }
        Step::Reject { order } => {
            let event = rejected(snapshot(order), order_end(EndReason::RejectedByStore));
            harness.receive(event).await
        }
    };
    received.unwrap();
}

#[tokio::test]
async fn points_are_those_of_the_model() {
    let harness = Harness::start().await;
    let mut runner = TestRunner::new(Config::default());
    let strategy = prop::collection::vec(step(), 1..16);
    for _ in 0..SEQUENCES {
        let steps = strategy.new_tree(&mut runner).unwrap().current();
        let (consumer, mut model) = (new_consumer(), Model::default());
        let orders: Vec<OrderId> = (0..ORDERS).map(|_| new_order()).collect();
        for (index, step) in steps.iter().enumerate() {
            model.apply(*step);
            perform(&harness, *step, consumer, &orders).await;
            let points = harness.points(consumer).await;
            assert_eq!(points, model.balance(), "after {:?}", &steps[..=index]);
        }
    }
    // Also audits the ledger.
    harness.close().await;
}
