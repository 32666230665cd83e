//! A model that gives prepared replies, for tests.

use std::sync::{Mutex, PoisonError};

use crate::error::{ErrorKind, ModelError};
use crate::model::Model;
use crate::reply::Reply;
use crate::request::Request;

/// A model that gives prepared results one after the other, and keeps the requests.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    state: Mutex<ScriptState>,
}

#[derive(Debug, Default)]
struct ScriptState {
    results: std::collections::VecDeque<Result<Reply, ModelError>>,
    requests: Vec<Request>,
}

impl ScriptedModel {
    /// Creates a model that gives these results in this order.
    pub fn new(results: impl IntoIterator<Item = Result<Reply, ModelError>>) -> Self {
        let state = ScriptState { results: results.into_iter().collect(), requests: Vec::new() };
        Self { state: Mutex::new(state) }
    }

    /// Creates a model that gives complete replies with these texts.
    pub fn with_texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::new(texts.into_iter().map(|text| Ok(Reply::complete(text))))
    }

    /// Returns the requests received so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }
}

impl Model for ScriptedModel {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.requests.push(request.clone());
        let count = state.requests.len();
        state.results.pop_front().unwrap_or_else(|| {
            let message = format!("the script has no reply for request {count}");
            Err(ModelError::new(ErrorKind::InvalidRequest, message))
        })
    }

    fn name(&self) -> &'static str {
        "scripted"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::complete_all;

    #[test]
    fn scripted_replies_come_in_order_and_requests_are_kept() {
        let model = ScriptedModel::with_texts(["a", "b"]);
        let requests = ["1", "2", "3"].map(Request::text);
        let results = complete_all(&model, &requests, &|_, _| ());
        let texts: Vec<_> =
            results.iter().map(|result| result.as_ref().map(|reply| reply.text.as_str()).ok()).collect();
        assert_eq!(texts, [Some("a"), Some("b"), None]);
        assert_eq!(results[2].as_ref().unwrap_err().to_string(), "the script has no reply for request 3");
        assert_eq!(model.requests().len(), 3);
    }
}
