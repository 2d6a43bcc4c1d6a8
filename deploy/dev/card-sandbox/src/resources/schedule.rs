//! Schedules the banks' decisions on debits and refunds.

use crate::objects::ScheduledDecision;
use crate::request::RequestContext;
use crate::state::State;

/// Schedules the decision on a payment intent or refund.
pub fn schedule_decision(state: &mut State, context: &RequestContext, object: &str) {
    state.put(ScheduledDecision {
        object: object.to_owned(),
        at_ms: context.now_ms + context.settle_after_ms,
        done: false,
    });
}

/// Marks the decision on an object as made, if one is scheduled.
pub fn mark_decided(state: &mut State, object: &str) {
    if let Some(decision) = state.scheduled_decisions.get(object).cloned() {
        state.put(ScheduledDecision {
            done: true,
            ..decision
        });
    }
}
