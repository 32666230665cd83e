//! Probing of the profile of a server.

use std::time::Duration;

use serde_json::Value;

use crate::endpoint::{Endpoint, Response};
use crate::profile::Profile;
use crate::url::BaseUrl;

/// The longest time of one probe.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the profile whose usual address has the same host, without a call.
pub fn profile_of_host(base_url: &BaseUrl) -> Option<Profile> {
    let has_host = |profile: &Profile| {
        let usual = profile.base_url.as_deref().and_then(|text| BaseUrl::parse(text).ok());
        // A port on this machine may be that of any server.
        usual.is_some_and(|usual| !usual.is_loopback() && usual.origin() == base_url.origin())
    };
    Profile::built_in().into_iter().find(has_host)
}

/// Asks a server which profile it has: by the owner of its models, by its version, and by its health. Returns `None` if it does not say.
pub fn probe_profile(endpoint: &dyn Endpoint, base_url: &BaseUrl) -> Option<Profile> {
    let json = |path: &str| -> Option<(u16, Value)> {
        let response: Response = endpoint.get(path, TIMEOUT).ok()?;
        Some((response.status, serde_json::from_slice(&response.body).ok()?))
    };
    let named = |name: &str| Profile::find(name).ok();
    let base_path = &base_url.as_str()[base_url.origin().len()..];
    if let Some((200, models)) = json(&format!("{base_path}/models")) {
        let models = models.get("data").and_then(Value::as_array);
        let owners: Vec<&str> =
            models.into_iter().flatten().filter_map(|model| model.get("owned_by")?.as_str()).collect();
        let owns = |profile: &Profile| profile.owned_by.iter().any(|owner| owners.contains(&owner.as_str()));
        // Other services too say `system` or `openai`; only servers that run one's own models are told by their owner.
        let local = ["llama-cpp", "vllm", "ollama"];
        if let Some(profile) =
            Profile::built_in().into_iter().find(|profile| local.contains(&profile.name.as_str()) && owns(profile))
        {
            return Some(profile);
        }
    }
    let is_version =
        |answer: Option<(u16, Value)>| matches!(answer, Some((200, value)) if value.get("version").is_some());
    if is_version(json("/api/version")) {
        return named("ollama");
    }
    if is_version(json("/version")) {
        return named("vllm");
    }
    let health = json("/health");
    let is_llama = matches!(&health, Some((200, value)) if value.get("status").and_then(Value::as_str) == Some("ok"))
        || matches!(&health, Some((503, value)) if value.to_string().contains("Loading model"));
    if is_llama { named("llama-cpp") } else { None }
}
