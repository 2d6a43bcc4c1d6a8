//! Changes that a test makes for a while.

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures::FutureExt as _;

/// Waits for the checks of a test, then repairs what the test changed, also if a check failed, so that the next test of the stack finds
/// no changed rows.
pub async fn check_and_repair(checks: impl Future<Output = ()>, repair: impl Future<Output = ()>) {
    let checked = AssertUnwindSafe(checks).catch_unwind().await;
    repair.await;
    if let Err(failure) = checked {
        resume_unwind(failure);
    }
}

#[tokio::test]
async fn a_failed_check_is_reported_after_the_repair() {
    let is_repaired = std::cell::Cell::new(false);
    let repair = async || is_repaired.set(true);
    let failing = check_and_repair(async { panic!("a failed check") }, repair());
    let failure = AssertUnwindSafe(failing).catch_unwind().await.unwrap_err();
    assert_eq!(failure.downcast_ref(), Some(&"a failed check"));
    assert!(is_repaired.replace(false));

    check_and_repair(async {}, repair()).await;
    assert!(is_repaired.get());
}
