//! Counts panics of workers, for the readiness of a process.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Number of consecutive panics, without a healthy run between them, after which the process is not ready.
pub(crate) const MAX_PANICS: u32 = 3;

/// Counts the consecutive panics of each worker of a process.
#[derive(Debug, Clone, Default)]
pub struct WorkerHealth(Arc<Mutex<HashMap<&'static str, u32>>>);

impl WorkerHealth {
    /// Returns whether no worker keeps panicking.
    pub(crate) fn is_healthy(&self) -> bool {
        self.panics().values().all(|&panics| panics < MAX_PANICS)
    }

    pub(crate) fn record_panic(&self, worker: &'static str) {
        *self.panics().entry(worker).or_default() += 1;
    }

    pub(crate) fn record_healthy(&self, worker: &'static str) {
        self.panics().remove(worker);
    }

    fn panics(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
