//! Offers and challenges.

use proto::rewards::v1 as rewards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::enums::UnknownValue;
use super::{convert_all, non_empty, try_convert_all};

/// Selects the day of the offers.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct OffersQuery {
    /// The offers of this day instead of today, for tests. Ignored in production, which is served over HTTPS.
    #[param(format = Date)]
    pub(crate) override_day: Option<String>,
    /// IANA name of the chosen store's time zone, which determines the day. A configured zone if absent.
    pub(crate) time_zone: Option<String>,
}

/// Selects an offer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferQuery {
    pub(crate) offer_id: String,
    /// As for the list of offers.
    #[param(format = Date)]
    pub(crate) override_day: Option<String>,
    /// As for the list of offers.
    pub(crate) time_zone: Option<String>,
}

/// The offers and challenges of a day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfferList {
    /// The day in the time zone.
    #[schema(format = Date)]
    pub(crate) day: String,
    /// Whether the day has an offer of its own, as Monday, Wednesday and Friday have.
    pub(crate) is_bonus_day: bool,
    /// Offers that apply on the day, those of the day first.
    pub(crate) offers: Vec<Offer>,
    pub(crate) challenges: Vec<Challenge>,
}

impl TryFrom<rewards::OfferList> for OfferList {
    type Error = UnknownValue;

    fn try_from(list: rewards::OfferList) -> Result<Self, UnknownValue> {
        Ok(Self {
            day: list.day,
            is_bonus_day: list.is_bonus_day,
            offers: convert_all(list.offers),
            challenges: try_convert_all(list.challenges)?,
        })
    }
}

/// An offer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Offer {
    pub(crate) offer_id: String,
    pub(crate) title: String,
    pub(crate) body: String,
    /// Conditions; may be empty.
    pub(crate) terms: String,
    /// Weekdays on which the offer applies: 1 for Monday to 7 for Sunday. Empty for every day.
    pub(crate) weekdays: Vec<u32>,
    /// Whether the offer applies on the requested day.
    pub(crate) is_active: bool,
    /// Whether the offer applies only to orders in the native app.
    pub(crate) is_app_only: bool,
    /// Promo code to enter at checkout.
    #[schema(required)]
    pub(crate) promo_code: Option<String>,
    /// Whether the consumer has used a code that is allowed once.
    pub(crate) is_used: bool,
    #[schema(required, format = DateTime)]
    pub(crate) ends_at: Option<String>,
}

impl From<rewards::Offer> for Offer {
    fn from(offer: rewards::Offer) -> Self {
        Self {
            offer_id: offer.offer_id,
            title: offer.title,
            body: offer.body,
            terms: offer.terms,
            weekdays: offer.weekdays,
            is_active: offer.is_active,
            is_app_only: offer.is_app_only,
            promo_code: non_empty(offer.promo_code),
            is_used: offer.is_used,
            ends_at: non_empty(offer.ends_at),
        }
    }
}

/// A challenge with the consumer's progress.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Challenge {
    pub(crate) challenge_id: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) goal: ChallengeGoal,
    /// Number of orders or stores, or cents for the goal `spend`.
    pub(crate) target: i64,
    /// In the unit of the target, and at most the target.
    pub(crate) progress: i64,
    /// Points that the challenge awards.
    pub(crate) points: i64,
    pub(crate) state: ChallengeState,
    #[schema(format = DateTime)]
    pub(crate) starts_at: String,
    #[schema(format = DateTime)]
    pub(crate) ends_at: String,
    /// Null unless the state is `claimed`.
    #[schema(required, format = DateTime)]
    pub(crate) claimed_at: Option<String>,
}

impl TryFrom<rewards::Challenge> for Challenge {
    type Error = UnknownValue;

    fn try_from(challenge: rewards::Challenge) -> Result<Self, UnknownValue> {
        Ok(Self {
            goal: challenge.goal().try_into()?,
            state: challenge.state().try_into()?,
            challenge_id: challenge.challenge_id,
            title: challenge.title,
            body: challenge.body,
            target: challenge.target,
            progress: challenge.progress,
            points: challenge.points,
            starts_at: challenge.starts_at,
            ends_at: challenge.ends_at,
            claimed_at: non_empty(challenge.claimed_at),
        })
    }
}

/// Claims the reward of a completed challenge.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClaimChallengeRequest {
    pub(crate) challenge_id: String,
}

/// A challenge after its reward was claimed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClaimedChallenge {
    pub(crate) challenge: Challenge,
    /// Points balance after the claim.
    pub(crate) balance: i64,
}

impl TryFrom<rewards::ClaimedChallenge> for ClaimedChallenge {
    type Error = UnknownValue;

    fn try_from(claimed: rewards::ClaimedChallenge) -> Result<Self, UnknownValue> {
        Ok(Self {
            challenge: claimed.challenge.unwrap_or_default().try_into()?,
            balance: claimed.balance,
        })
    }
}

/// What a challenge counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChallengeGoal {
    /// Completed orders.
    Orders,
    /// Different stores with a completed order.
    Stores,
    /// Cents spent on completed orders, after discounts and refunds.
    Spend,
}

impl TryFrom<rewards::ChallengeGoal> for ChallengeGoal {
    type Error = UnknownValue;

    fn try_from(goal: rewards::ChallengeGoal) -> Result<Self, UnknownValue> {
        match goal {
            rewards::ChallengeGoal::Orders => Ok(Self::Orders),
            rewards::ChallengeGoal::Stores => Ok(Self::Stores),
            rewards::ChallengeGoal::Spend => Ok(Self::Spend),
            rewards::ChallengeGoal::Unspecified => Err(UnknownValue("challenge goal")),
        }
    }
}

/// State of a challenge for the consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChallengeState {
    Open,
    /// The reward can be claimed.
    Completed,
    Claimed,
}

impl TryFrom<rewards::ChallengeState> for ChallengeState {
    type Error = UnknownValue;

    fn try_from(state: rewards::ChallengeState) -> Result<Self, UnknownValue> {
        match state {
            rewards::ChallengeState::Open => Ok(Self::Open),
            rewards::ChallengeState::Completed => Ok(Self::Completed),
            rewards::ChallengeState::Claimed => Ok(Self::Claimed),
            rewards::ChallengeState::Unspecified => Err(UnknownValue("challenge state")),
        }
    }
}
