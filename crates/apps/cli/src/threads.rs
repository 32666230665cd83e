//! Thread pools.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::output::CommandError;

/// Starts a pool of this many threads; `None` for the number of cores.
pub(crate) fn thread_pool(threads: Option<NonZeroUsize>) -> Result<Arc<ThreadPool>, CommandError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build();
    pool.map(Arc::new).map_err(|error| CommandError::Usage(format!("cannot start the threads: {error}")))
}
