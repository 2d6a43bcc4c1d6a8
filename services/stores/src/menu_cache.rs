//! Menus in memory, one per company. All stores of a company share its menu until the menu version changes.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use kit::InternalError;
use sqlx::PgConnection;
use types::CompanyId;

use crate::{db, domain::menu::Menu};

#[derive(Debug, Default)]
pub(crate) struct MenuCache(RwLock<HashMap<CompanyId, (i64, Arc<Menu>)>>);

impl MenuCache {
    /// Returns the menu of a company at the given version or a newer one.
    pub(crate) async fn get(
        &self,
        conn: &mut PgConnection,
        company_id: CompanyId,
        version: i64,
    ) -> Result<Arc<Menu>, InternalError> {
        if let Some((cached_version, menu)) = self
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&company_id)
            && *cached_version == version
        {
            return Ok(Arc::clone(menu));
        }
        let menu = Arc::new(db::menu::find(conn, company_id).await?);
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(company_id, (version, Arc::clone(&menu)));
        Ok(menu)
    }
}
