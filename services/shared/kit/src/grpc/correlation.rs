//! Correlation id: identifies one request in the logs of all processes. Calls made while serving a call inherit it.

use std::future::Future;

use tonic::metadata::AsciiMetadataValue;

pub(super) const HEADER: &str = "x-correlation-id";

tokio::task_local! {
    static ID: Option<AsciiMetadataValue>;
}

/// Runs work with a correlation id.
pub(super) async fn within<F: Future>(id: Option<AsciiMetadataValue>, work: F) -> F::Output {
    ID.scope(id, work).await
}

pub(super) fn current() -> Option<AsciiMetadataValue> {
    ID.try_with(Clone::clone).ok().flatten()
}

/// Wraps work that is spawned on another task, so that it keeps the current correlation id.
pub(crate) fn inherit<F: Future>(work: F) -> impl Future<Output = F::Output> {
    ID.scope(current(), work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_spawned_task_keeps_the_correlation_id_only_with_inherit() {
        let id = Some(AsciiMetadataValue::from_static("a-request"));
        let (own, inherited, without) = within(id.clone(), async {
            let inherited = tokio::spawn(inherit(async { current() }));
            let without = tokio::spawn(async { current() });
            (current(), inherited.await.unwrap(), without.await.unwrap())
        })
        .await;
        assert_eq!((own, inherited, without), (id.clone(), id, None));
        assert_eq!(current(), None);
    }
}
