//! Sets the code and the PIN with which the staff of a store sign in.

use std::io;

use kit::InternalError;
use types::StoreId;

use crate::{
    Stores, db,
    domain::staff::{Pin, StoreCode},
    output::print_line,
};

#[derive(Debug, thiserror::Error)]
pub enum SetStaffPinError {
    #[error("unknown store: {0}")]
    StoreUnknown(StoreId),
    #[error("another store has the code {0}")]
    CodeTaken(StoreCode),
    #[error("the PIN cannot be printed, so that it was not set: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(SetStaffPinError);

/// Sets the PIN of a store, ends the sessions of its staff and forgets their devices. Returns the code of the store: `code`,
/// otherwise the existing one, otherwise a new one. It is printed before the commit.
pub async fn set_staff_pin(
    cx: &Stores,
    store_id: StoreId,
    code: Option<StoreCode>,
    pin: &Pin,
    print: impl FnOnce(&StoreCode) -> io::Result<()>,
) -> Result<StoreCode, SetStaffPinError> {
    let pin_hash = pin.hash()?;
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    let code = match code {
        Some(code) => code,
        None => db::staff::find_code(&mut tx, store_id)
            .await?
            .and_then(|code| code.parse().ok())
            .unwrap_or_else(StoreCode::generate),
    };
    let written = db::staff::upsert_pin(&mut tx, store_id, &code, &pin_hash, cx.clock.now()).await;
    if let Err(error) = written {
        let constraint = error.as_database_error().and_then(|error| error.constraint());
        return Err(match constraint {
            Some("staff_pins_store_fkey") => SetStaffPinError::StoreUnknown(store_id),
            Some("staff_pins_store_code_unique") => SetStaffPinError::CodeTaken(code),
            _ => error.into(),
        });
    }
    db::staff::delete_sessions_of(&mut tx, store_id).await?;
    // A person who left may have registered devices, each with its own limit of attempts.
    db::staff_devices::forget_all_of(&mut tx, store_id).await?;
    print(&code)?;
    tx.commit().await?;
    Ok(code)
}

/// Sets a PIN and prints it with the code of the store.
pub(crate) async fn print_staff_pin(
    cx: &Stores,
    store_id: StoreId,
    code: Option<StoreCode>,
    pin: Option<Pin>,
) -> anyhow::Result<()> {
    let pin = pin.unwrap_or_else(Pin::generate);
    let print = |code: &StoreCode| print_line(format_args!("store code {code}, PIN {}", pin.expose()));
    set_staff_pin(cx, store_id, code, &pin, print).await?;
    Ok(())
}
