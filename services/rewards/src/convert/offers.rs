//! Requests and responses about offers, challenges, invitations and landing pages.

use jiff::tz::TimeZone;
use kit::{ErrorCode, ServiceError};
use proto::rewards::v1 as pb;

use crate::{
    domain::{
        challenge::{self, Challenge, ClaimedChallenge},
        invitation::InvitationReward,
        landing_page::{LandingPage, LandingPagePromo},
        offer::{Offer, OfferDay, OfferList},
        promo::DiscountRule,
    },
    ops::list_offers::DayQuery,
};

pub(crate) fn day_query(day: &str, time_zone: &str) -> Result<DayQuery, ServiceError> {
    let date = match day {
        "" => None,
        day => Some(day.parse().map_err(|_| {
            ServiceError::new(
                ErrorCode::InvalidRequest,
                "DAY_MALFORMED",
                "Use a day such as 2026-01-31.",
            )
            .with_field("overrideDay")
        })?),
    };
    Ok(DayQuery {
        date,
        time_zone: parse_time_zone(time_zone)?,
    })
}

/// Returns `None` for an empty name.
pub(crate) fn parse_time_zone(name: &str) -> Result<Option<TimeZone>, ServiceError> {
    if name.is_empty() {
        return Ok(None);
    }
    TimeZone::get(name).map(Some).map_err(|_| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "TIME_ZONE_UNKNOWN",
            "Use a time zone such as America/Los_Angeles.",
        )
        .with_field("timeZone")
    })
}

pub(crate) fn offer_list(list: OfferList) -> pb::OfferList {
    pb::OfferList {
        day: list.day.date.to_string(),
        is_bonus_day: list.is_bonus_day(),
        offers: list
            .offers
            .into_iter()
            .map(|other| offer(other, list.day))
            .collect(),
        challenges: list.challenges.into_iter().map(challenge).collect(),
    }
}

pub(crate) fn offer(offer: Offer, day: OfferDay) -> pb::Offer {
    let is_active = offer.is_active(day);
    let promo = offer.promo.as_ref();
    let weekdays = promo.map(|promo| promo.weekdays.to_numbers()).unwrap_or_default();
    pb::Offer {
        is_active,
        weekdays: weekdays
            .into_iter()
            .map(i16::unsigned_abs)
            .map(u32::from)
            .collect(),
        is_app_only: promo.is_some_and(|promo| promo.is_app_only),
        is_used: promo.is_some_and(|promo| promo.is_used),
        ends_at: promo
            .and_then(|promo| promo.ends_at)
            .map(|ends_at| ends_at.to_string())
            .unwrap_or_default(),
        promo_code: offer.promo.map(|promo| promo.code).unwrap_or_default(),
        offer_id: offer.id,
        title: offer.title,
        body: offer.body,
        terms: offer.terms,
    }
}

pub(crate) fn challenge(challenge: Challenge) -> pb::Challenge {
    let goal = match challenge.rules.goal {
        challenge::ChallengeGoal::Orders => pb::ChallengeGoal::Orders,
        challenge::ChallengeGoal::Stores => pb::ChallengeGoal::Stores,
        challenge::ChallengeGoal::Spend => pb::ChallengeGoal::Spend,
    };
    let state = match challenge.state() {
        challenge::ChallengeState::Open => pb::ChallengeState::Open,
        challenge::ChallengeState::Completed => pb::ChallengeState::Completed,
        challenge::ChallengeState::Claimed => pb::ChallengeState::Claimed,
    };
    pb::Challenge {
        progress: challenge.progress(),
        goal: goal.into(),
        state: state.into(),
        challenge_id: challenge.rules.id,
        title: challenge.rules.title,
        body: challenge.rules.body,
        target: challenge.rules.target,
        points: challenge.rules.points,
        starts_at: challenge.rules.starts_at.to_string(),
        ends_at: challenge.rules.ends_at.to_string(),
        claimed_at: challenge.claimed_at.map(|at| at.to_string()).unwrap_or_default(),
    }
}

pub(crate) fn claimed_challenge(claimed: ClaimedChallenge) -> pb::ClaimedChallenge {
    pb::ClaimedChallenge {
        challenge: Some(challenge(claimed.challenge)),
        balance: claimed.balance,
    }
}

pub(crate) const fn invitation_reward(reward: InvitationReward) -> pb::InvitationReward {
    pb::InvitationReward {
        referrer_points: reward.referrer_points,
        friend_points: reward.friend_points,
    }
}

pub(crate) fn landing_page(page: LandingPage) -> pb::LandingPage {
    pb::LandingPage {
        url_slug: page.url_slug,
        hero: Some(pb::LandingPageHero {
            title: page.title,
            subtitle: page.subtitle,
            picture: page.picture,
        }),
        copy: page.paragraphs,
        call_to_action: Some(pb::CallToAction {
            label: page.action_label,
            path: page.action_path,
        }),
        promo: page.promo.map(landing_page_promo),
    }
}

fn landing_page_promo(promo: LandingPagePromo) -> pb::LandingPagePromo {
    let value = match promo.rule {
        DiscountRule::Fixed(amount) => amount.minor_units(),
        DiscountRule::Rate(parts) => parts,
    };
    pb::LandingPagePromo {
        code: promo.code,
        r#type: promo.rule.kind().to_owned(),
        value,
        is_app_only: promo.is_app_only,
    }
}
