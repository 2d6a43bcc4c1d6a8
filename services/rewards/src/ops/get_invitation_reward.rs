use crate::{Rewards, domain::invitation::InvitationReward};

/// Returns what an invitation is worth for both sides.
#[must_use]
pub const fn get_invitation_reward(cx: &Rewards) -> InvitationReward {
    InvitationReward {
        referrer_points: cx.rules.invitation_referrer_points,
        friend_points: cx.rules.invitation_friend_points,
    }
}
