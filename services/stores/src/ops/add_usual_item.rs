//! Saves an item with its customization.

use kit::{ErrorCode, InternalError, ServiceError};
use types::{
    MoneyError,
    limits::{MAX_USUAL_ITEM_NAME_CHARS, MAX_USUAL_ITEMS},
    text::is_control,
};

use super::{
    list_usual_items::resolve_usual_item,
    store_menu::{StoreMenuError, load_store_menu},
};
use crate::{
    Stores, db,
    domain::{
        cart_lines::{LineError, resolve},
        sold_out::SoldOut,
        usual_item::{AddUsualItem, Customization, ResolvedUsualItem, UsualItem},
    },
    not_found,
};

#[derive(Debug, thiserror::Error)]
pub(crate) enum AddUsualItemError {
    /// The customization is invalid.
    #[error("{0}")]
    Invalid(LineError),
    #[error("name too long or with control characters")]
    NameInvalid,
    #[error("more than {MAX_USUAL_ITEMS} usual items")]
    LimitReached,
    #[error("the consumer was removed")]
    ConsumerRemoved,
    #[error("menu prices: {0}")]
    Prices(#[from] MoneyError),
    #[error(transparent)]
    Menu(#[from] StoreMenuError),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(AddUsualItemError);

impl From<AddUsualItemError> for ServiceError {
    fn from(error: AddUsualItemError) -> Self {
        match error {
            AddUsualItemError::Invalid(LineError::ItemUnknown) => not_found::item(),
            AddUsualItemError::Invalid(error) => {
                Self::new(ErrorCode::RuleViolation, error.reason(), error.to_string())
                    .with_field(error.field())
            }
            AddUsualItemError::NameInvalid => Self::new(
                ErrorCode::RuleViolation,
                "NAME_INVALID",
                format!("Names can have up to {MAX_USUAL_ITEM_NAME_CHARS} characters."),
            )
            .with_field("name"),
            AddUsualItemError::LimitReached => Self::new(
                ErrorCode::Conflict,
                "USUAL_ITEM_LIMIT",
                format!("You can save up to {MAX_USUAL_ITEMS} usual items. Remove one first."),
            ),
            AddUsualItemError::ConsumerRemoved => not_found::store(),
            AddUsualItemError::Prices(error) => InternalError::invariant_violated(error).into(),
            AddUsualItemError::Menu(error) => error.into(),
            AddUsualItemError::Internal(error) => error.into(),
        }
    }
}

/// Saves a usual item, or returns the one that the consumer saved before with the same customization. Sold-out items
/// can be saved.
///
/// # Errors
/// [`AddUsualItemError`] if the customization is invalid or the consumer has too many usual items.
pub(crate) async fn add_usual_item(
    cx: &Stores,
    add: AddUsualItem,
) -> Result<ResolvedUsualItem, AddUsualItemError> {
    let is_valid_name =
        |name: &String| name.chars().count() <= MAX_USUAL_ITEM_NAME_CHARS && !name.contains(is_control);
    if !add.name.iter().all(is_valid_name) {
        return Err(AddUsualItemError::NameInvalid);
    }
    let store_menu = load_store_menu(cx, add.store_id).await?;
    let resolved = resolve(&store_menu.menu, &SoldOut::default(), vec![add.line.clone()])?.pop();
    let line = match resolved {
        Some(Ok(line)) => line,
        Some(Err(problem)) => return Err(AddUsualItemError::Invalid(problem.error)),
        None => return Err(AddUsualItemError::Invalid(LineError::ItemUnknown)),
    };
    let customization =
        Customization::of_line(&add.line).ok_or(AddUsualItemError::Invalid(LineError::ItemUnknown))?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    db::usual_items::lock(&mut tx, add.consumer_id).await?;
    if db::usual_items::is_removed(&mut tx, add.consumer_id).await? {
        return Err(AddUsualItemError::ConsumerRemoved);
    }
    let others = db::usual_items::count_others(&mut tx, add.consumer_id, &customization).await?;
    if usize::try_from(others).unwrap_or(usize::MAX) >= MAX_USUAL_ITEMS {
        return Err(AddUsualItemError::LimitReached);
    }
    let now = cx.clock.now();
    let (id, name) = db::usual_items::upsert(&mut tx, &add, &customization, &line.item_name, now).await?;
    let store_name = db::stores::find_name(&mut tx, add.store_id).await?;
    tx.commit().await?;
    let item = UsualItem {
        id,
        store_id: add.store_id,
        store_name: store_name.unwrap_or_default(),
        name,
        customization,
    };
    Ok(resolve_usual_item(&store_menu, item)?)
}
