//! The service worker: registers it, notices a new version, and switches to it when the user says so.
//!
//! Not for caching: that is the service worker's own business.

use super::{has, reload};
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    RegistrationOptions, ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState,
    ServiceWorkerUpdateViaCache,
};

/// Where the packaging puts the service worker: at the top, so that it governs the whole app.
const SCRIPT: &str = "/sw.js";

/// The port on which `trunk serve` shows a build in the making, which no service worker should keep.
const TRUNK_PORT: &str = "8080";

thread_local! {
    static REGISTRATION: RefCell<Option<ServiceWorkerRegistration>> = const { RefCell::new(None) };
    static IS_SWITCHING: Cell<bool> = const { Cell::new(false) };
}

fn container() -> Option<ServiceWorkerContainer> {
    let navigator = window().navigator();
    has(&navigator, "serviceWorker").then(|| navigator.service_worker())
}

/// Registers the service worker and calls whenever a new version waits to be used.
pub(crate) fn watch_for_update(on_waiting: impl Fn() + Clone + 'static) {
    let is_in_the_making = cfg!(debug_assertions) && location().port().is_ok_and(|port| port == TRUNK_PORT);
    let Some(container) = container().filter(|_| !is_in_the_making) else { return };
    heed_switch(&container, on_waiting.clone());
    spawn_local(async move {
        let options = RegistrationOptions::new();
        options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
        // Refused in private windows and where there is no such script: the app then needs its server, nothing more.
        let Ok(registration) = JsFuture::from(container.register_with_options(SCRIPT, &options)).await else { return };
        let Ok(registration) = registration.dyn_into::<ServiceWorkerRegistration>() else { return };
        if registration.waiting().is_some() && container.controller().is_some() {
            on_waiting();
        }
        watch_installs(&registration, &container, on_waiting);
        REGISTRATION.set(Some(registration));
    });
    // A kiosk's page may stay open for weeks: looking for a new version is up to us.
    window_event_listener_untyped("visibilitychange", |_| look_for_update());
    set_interval(look_for_update, std::time::Duration::from_secs(60 * 60));
}

fn look_for_update() {
    REGISTRATION.with_borrow(|registration| {
        if let Some(Ok(promise)) = registration.as_ref().map(ServiceWorkerRegistration::update) {
            // Offline it fails, which is nothing to speak of.
            spawn_local(async move {
                let _ = JsFuture::from(promise).await;
            });
        }
    });
}

fn watch_installs(
    registration: &ServiceWorkerRegistration,
    container: &ServiceWorkerContainer,
    on_waiting: impl Fn() + Clone + 'static,
) {
    let (source, container) = (registration.clone(), container.clone());
    let on_found = Closure::<dyn Fn()>::new(move || {
        let Some(worker) = source.installing() else { return };
        let (worker_then, container, on_waiting) = (worker.clone(), container.clone(), on_waiting.clone());
        let on_state = Closure::<dyn Fn()>::new(move || {
            // Without a controller this is the first visit, and the version on show is the newest.
            if worker_then.state() == ServiceWorkerState::Installed && container.controller().is_some() {
                on_waiting();
            }
        });
        worker.set_onstatechange(Some(on_state.into_js_value().unchecked_ref()));
    });
    registration.set_onupdatefound(Some(on_found.into_js_value().unchecked_ref()));
}

/// When another version takes over: reload if we asked for it, offer it if another tab did.
fn heed_switch(container: &ServiceWorkerContainer, on_waiting: impl Fn() + 'static) {
    let was_controlled = Cell::new(container.controller().is_some());
    let on_switch = Closure::<dyn Fn()>::new(move || {
        if IS_SWITCHING.take() {
            reload();
        } else if was_controlled.replace(true) {
            on_waiting();
        }
    });
    container.set_oncontrollerchange(Some(on_switch.into_js_value().unchecked_ref()));
}

/// Switches to the version that waits and reloads the page, once.
pub(crate) fn use_update() {
    let waiting: Option<ServiceWorker> =
        REGISTRATION.with_borrow(|registration| registration.as_ref().and_then(ServiceWorkerRegistration::waiting));
    let message = js_sys::Object::new();
    let is_asked = waiting.is_some_and(|waiting| {
        js_sys::Reflect::set(&message, &JsValue::from_str("type"), &JsValue::from_str("activate")).is_ok()
            && waiting.post_message(&message).is_ok()
    });
    if is_asked {
        IS_SWITCHING.set(true);
    } else {
        // Another tab has switched already; the new version comes with the next load.
        reload();
    }
}
