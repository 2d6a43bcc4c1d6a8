//! Returns one choice of a modification, with its price at a size.

use types::{ChoiceId, ModificationId, SizeId, StoreId};

use super::{
    get_modification::find_modification,
    store_menu::{StoreMenuError, load_store_menu},
};
use crate::{Stores, domain::store_menu::OfferedModification};

/// # Errors
/// Those of [`super::get_modification::get_modification`], and [`StoreMenuError::ChoiceUnknown`] if the modification does not
/// have the choice.
pub(crate) async fn get_modification_choice(
    cx: &Stores,
    store_id: StoreId,
    size_id: SizeId,
    modification_id: ModificationId,
    choice_id: ChoiceId,
) -> Result<OfferedModification, StoreMenuError> {
    let store_menu = load_store_menu(cx, store_id).await?;
    let offered = find_modification(store_menu, size_id, modification_id)?;
    let modification = offered.store_menu.menu.modification(modification_id);
    if modification.and_then(|found| found.choice(choice_id)).is_none() {
        return Err(StoreMenuError::ChoiceUnknown);
    }
    Ok(offered)
}
