//! Writes the menu of a company.

use sqlx::PgConnection;
use types::{CategoryId, ChoiceId, CompanyId, ItemId, ModificationId, SizeId};

use crate::domain::menu::{Item, Menu};

/// Replaces the menu of a company and increments its version. The caller has locked the company's row.
///
/// # Errors
/// A constraint violation if the menu is invalid: two sizes with one cup size, two defaults, an amount out of range.
pub(crate) async fn replace(
    tx: &mut PgConnection,
    company_id: CompanyId,
    menu: &Menu,
    digest: &[u8; 32],
) -> Result<i64, sqlx::Error> {
    sqlx::query!(
        "DELETE FROM categories WHERE company_id = $1",
        company_id as CompanyId
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "DELETE FROM modifications WHERE company_id = $1",
        company_id as CompanyId
    )
    .execute(&mut *tx)
    .await?;
    insert_categories(tx, company_id, menu).await?;
    insert_modifications(tx, company_id, menu).await?;
    insert_choices(tx, menu).await?;
    insert_choice_prices(tx, menu).await?;
    insert_items(tx, menu).await?;
    insert_sizes(tx, menu).await?;
    insert_item_modifications(tx, menu).await?;
    insert_item_defaults(tx, menu).await?;
    sqlx::query_scalar!(
        "UPDATE companies SET menu_version = menu_version + 1, menu_digest = $2 WHERE company_id = $1
         RETURNING menu_version",
        company_id as CompanyId,
        digest.as_slice(),
    )
    .fetch_one(tx)
    .await
}

async fn insert_categories(
    tx: &mut PgConnection,
    company_id: CompanyId,
    menu: &Menu,
) -> Result<(), sqlx::Error> {
    let ids: Vec<CategoryId> = menu.categories().iter().map(|category| category.id).collect();
    let names: Vec<String> = menu
        .categories()
        .iter()
        .map(|category| category.name.clone())
        .collect();
    sqlx::query!(
        "INSERT INTO categories (category_id, company_id, name, position)
         SELECT id, $1, name, position
         FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS category (id, name, position)",
        company_id as CompanyId,
        &ids as &[CategoryId],
        &names,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_modifications(
    tx: &mut PgConnection,
    company_id: CompanyId,
    menu: &Menu,
) -> Result<(), sqlx::Error> {
    let (ids, names): (Vec<ModificationId>, Vec<String>) = menu
        .modifications()
        .map(|modification| (modification.id, modification.name.clone()))
        .unzip();
    sqlx::query!(
        "INSERT INTO modifications (modification_id, company_id, name)
         SELECT id, $1, name FROM unnest($2::uuid[], $3::text[]) AS modification (id, name)",
        company_id as CompanyId,
        &ids as &[ModificationId],
        &names,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_choices(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut ids, mut modification_ids, mut names, mut max, mut allergens, mut art_keys, mut positions) =
        (vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
    for modification in menu.modifications() {
        for (position, choice) in modification.choices.iter().enumerate() {
            ids.push(choice.id);
            modification_ids.push(modification.id);
            names.push(choice.name.clone());
            max.push(to_column(choice.max_quantity));
            allergens.push(choice.allergens.join(","));
            art_keys.push(choice.art_key.clone());
            positions.push(to_position(position));
        }
    }
    sqlx::query!(
        "INSERT INTO choices (choice_id, modification_id, name, max_quantity, allergens, art_key, position)
         SELECT id, modification_id, name, max_quantity, string_to_array(allergens, ','), art_key, position
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::integer[])
              AS choice (id, modification_id, name, max_quantity, allergens, art_key, position)",
        &ids as &[ChoiceId],
        &modification_ids as &[ModificationId],
        &names,
        &max,
        &allergens,
        &art_keys,
        &positions,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_choice_prices(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut ids, mut cup_sizes, mut prices, mut calories) = (vec![], vec![], vec![], vec![]);
    for choice in menu
        .modifications()
        .flat_map(|modification| &modification.choices)
    {
        for (cup_size, price) in &choice.prices {
            ids.push(choice.id);
            cup_sizes.push(cup_size.code().to_owned());
            prices.push(price.price.minor_units());
            calories.push(price.calories);
        }
    }
    sqlx::query!(
        "INSERT INTO choice_prices (choice_id, cup_size, price_cents, calories)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::integer[])",
        &ids as &[ChoiceId],
        &cup_sizes,
        &prices,
        &calories,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_items(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let texts =
        |text: fn(&Item) -> String| -> Vec<String> { menu.items().iter().map(|item| text(item)).collect() };
    let ids: Vec<ItemId> = menu.items().iter().map(|item| item.id).collect();
    let categories: Vec<CategoryId> = menu.items().iter().map(|item| item.category_id).collect();
    let make_seconds: Vec<i32> = menu
        .items()
        .iter()
        .map(|item| to_column(item.make_seconds))
        .collect();
    sqlx::query!(
        "INSERT INTO items (item_id, category_id, name, description, kind, art, allergens, make_seconds, position)
         SELECT id, category_id, name, description, kind, art::jsonb, string_to_array(allergens, ','), make_seconds,
                position
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[])
              WITH ORDINALITY
              AS item (id, category_id, name, description, kind, art, allergens, make_seconds, position)",
        &ids as &[ItemId],
        &categories as &[CategoryId],
        &texts(|item| item.name.clone()),
        &texts(|item| item.description.clone()),
        &texts(|item| item.kind.code().to_owned()),
        &texts(|item| item.art.clone()),
        &texts(|item| item.allergens.join(",")),
        &make_seconds,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_sizes(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut ids, mut item_ids, mut cup_sizes, mut names) = (vec![], vec![], vec![], vec![]);
    let (mut ounces, mut prices, mut calories, mut caffeine, mut default) =
        (vec![], vec![], vec![], vec![], vec![]);
    for item in menu.items() {
        for size in &item.sizes {
            ids.push(size.id);
            item_ids.push(item.id);
            cup_sizes.push(size.cup_size.code().to_owned());
            names.push(size.name.clone());
            ounces.push(to_column(size.ounces));
            prices.push(size.price.minor_units());
            calories.push(to_column(size.calories));
            caffeine.push(to_column(size.caffeine_mg));
            default.push(size.is_default);
        }
    }
    sqlx::query!(
        "INSERT INTO sizes (size_id, item_id, cup_size, name, ounces, price_cents, calories, caffeine_mg, is_default)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[], $6::bigint[],
                              $7::integer[], $8::integer[], $9::boolean[])",
        &ids as &[SizeId],
        &item_ids as &[ItemId],
        &cup_sizes,
        &names,
        &ounces,
        &prices,
        &calories,
        &caffeine,
        &default,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_item_modifications(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut item_ids, mut modification_ids, mut positions) = (vec![], vec![], vec![]);
    let (mut min, mut max, mut included) = (vec![], vec![], vec![]);
    for item in menu.items() {
        for (position, offered) in item.modifications.iter().enumerate() {
            item_ids.push(item.id);
            modification_ids.push(offered.modification_id);
            positions.push(to_position(position));
            min.push(to_column(offered.min));
            max.push(to_column(offered.max));
            included.push(to_column(offered.included));
        }
    }
    sqlx::query!(
        "INSERT INTO item_modifications (item_id, modification_id, position, min_choices, max_choices, included)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])",
        &item_ids as &[ItemId],
        &modification_ids as &[ModificationId],
        &positions,
        &min,
        &max,
        &included,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn insert_item_defaults(tx: &mut PgConnection, menu: &Menu) -> Result<(), sqlx::Error> {
    let (mut item_ids, mut choice_ids, mut quantities) = (vec![], vec![], vec![]);
    for item in menu.items() {
        for (choice_id, quantity) in item.modifications.iter().flat_map(|offered| &offered.defaults) {
            item_ids.push(item.id);
            choice_ids.push(*choice_id);
            quantities.push(to_column(*quantity));
        }
    }
    sqlx::query!(
        "INSERT INTO item_defaults (item_id, choice_id, quantity)
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[])",
        &item_ids as &[ItemId],
        &choice_ids as &[ChoiceId],
        &quantities,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Saturates: the constraint of the column rejects a value that large.
fn to_column(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

fn to_position(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}
