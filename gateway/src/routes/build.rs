//! Which build of the web app is served.

use axum::extract::State;

use crate::envelope::Answer;
use crate::gateway::Gateway;
use crate::types::Build;

/// The build that a reload would bring.
#[utoipa::path(get, path = "/api/build", tag = "build", responses((status = 200, body = Answer<Build>)))]
pub async fn get_build(State(gateway): State<Gateway>) -> Answer<Build> {
    Answer::of(Build {
        build_id: gateway.site.build_id().to_owned(),
    })
}
