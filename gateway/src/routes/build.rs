//! Which build of the web app is served.

use axum::extract::State;

use crate::envelope::ApiResponse;
use crate::gateway::Gateway;
use crate::types::Build;

/// The build that a reload would bring.
#[utoipa::path(get, path = "/api/build", tag = "build", responses((status = 200, body = ApiResponse<Build>)))]
pub async fn get_build(State(gateway): State<Gateway>) -> ApiResponse<Build> {
    ApiResponse::new(Build {
        build_id: gateway.site.build_id().to_owned(),
    })
}
