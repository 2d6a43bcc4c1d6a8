//! The id by which a request is found in the logs of every process that works on it: a call made while another is served
//! passes its id on, also from a task of its own.

use std::future::Future;

use tonic::metadata::AsciiMetadataValue;

/// The header.
pub(super) const HEADER: &str = "x-correlation-id";

tokio::task_local! {
    static ID: Option<AsciiMetadataValue>;
}

/// Runs work for the request of this id.
pub(super) async fn within<F: Future>(id: Option<AsciiMetadataValue>, work: F) -> F::Output {
    ID.scope(id, work).await
}

/// The id of the request that is worked on.
pub(super) fn current() -> Option<AsciiMetadataValue> {
    ID.try_with(Clone::clone).ok().flatten()
}

/// Keeps the id for work that goes on elsewhere.
pub(crate) fn kept<F: Future>(work: F) -> impl Future<Output = F::Output> {
    ID.scope(current(), work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_of_its_own_works_for_the_same_request() {
        let id = Some(AsciiMetadataValue::from_static("a-request"));
        let (own, kept, forgotten) = within(id.clone(), async {
            let kept = tokio::spawn(kept(async { current() }));
            let forgotten = tokio::spawn(async { current() });
            (current(), kept.await.unwrap(), forgotten.await.unwrap())
        })
        .await;
        assert_eq!((own, kept, forgotten), (id.clone(), id, None));
        assert_eq!(current(), None);
    }
}
