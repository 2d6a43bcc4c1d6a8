//! The build of the web app.

use axum::extract::State;

use crate::gateway::Gateway;
use crate::response::ApiResponse;
use crate::types::Build;

/// Returns the current build of the web app.
#[utoipa::path(get, path = "/api/build", tag = "build", responses((status = 200, body = ApiResponse<Build>)))]
pub(crate) async fn get_build(State(gateway): State<Gateway>) -> ApiResponse<Build> {
    ApiResponse::new(Build {
        build_id: gateway.site.build_id().to_owned(),
    })
}
