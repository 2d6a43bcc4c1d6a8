//! Invitations by share code.

use types::{ConsumerId, OrderId};

/// What an invitation is worth, once the friend's first order is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvitationReward {
    /// Points for the consumer who shares the code.
    pub referrer_points: i64,
    /// Points for the invited consumer.
    pub friend_points: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub id: i64,
    pub friend_id: ConsumerId,
    /// `None` if the consumer was removed.
    pub referrer_id: Option<ConsumerId>,
    /// The order that both were rewarded for, if any.
    pub order_id: Option<OrderId>,
    /// The points that were awarded.
    pub reward: InvitationReward,
}
