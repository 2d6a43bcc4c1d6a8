use tonic::{Response, Status};

use crate::service_error::ServiceError;

/// Return type of a gRPC method.
pub type GrpcResult<T> = Result<Response<T>, Status>;

/// Converts the result of an operation into the response or status of a gRPC method.
pub fn into_grpc<T, E: Into<ServiceError>>(result: Result<T, E>) -> GrpcResult<T> {
    result.map(Response::new).map_err(|error| error.into().into())
}
