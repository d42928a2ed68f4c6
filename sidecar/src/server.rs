//! Serves the page to this machine's browsers, on 127.0.0.1 alone: a secure context with one origin, so that its
//! storage, threads and service worker work with the network cable out.
//!
//! Reading order: [`guard`] refuses what is not from this machine's own page, `pages` serves the [`bundle`], `api`
//! answers programs, `models` has the models of this machine's folder, [`generator`] the language model that [`chat`] has write for
//! programs that [`pairing`] and `rate` let through, [`policy`] says what the page may do, `connections` is the accept loop.
//! Not for the library: documents stay in the browser's own store.

mod api;
pub mod bundle;
mod chat;
mod connections;
pub mod generator;
mod guard;
mod models;
mod pages;
pub mod pairing;
pub mod policy;
mod rate;

use crate::models::models_dir;
use axum::{Router, middleware, routing};
use bundle::{BundleError, Shelf};
use generator::Desk;
use millwright_core::protocol::{Failure, FailureKind};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No built page was found.
    #[error(
        "The page is not built yet: there is no index.html in {}. Build it with `cargo pkg bundle`, or say where it is with --app DIR.",
        .looked_in.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(" or ")
    )]
    NoApp {
        /// The folders that were looked into.
        looked_in: Vec<PathBuf>,
    },
    /// The built page cannot be read.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The port is taken.
    #[error(
        "Port {port} is in use, perhaps by a Millwright that is already running: open http://127.0.0.1:{port}/ and see. Otherwise end the program that uses it, or choose another port with --port. A library added in the browser belongs to its port and is only seen there."
    )]
    PortInUse {
        /// Which.
        port: u16,
    },
    /// The system refuses something else.
    #[error("The server cannot run: {0}")]
    Io(#[from] io::Error),
}

impl From<&ServeError> for Failure {
    fn from(error: &ServeError) -> Self {
        let error_type = match error {
            ServeError::NoApp { .. } => FailureKind::NotFound,
            ServeError::PortInUse { .. } => FailureKind::BadRequest,
            ServeError::Bundle(_) => FailureKind::UnreadableFile,
            ServeError::Io(_) => FailureKind::Internal,
        };
        Self { error: error.to_string(), error_type }
    }
}

/// The folder with the built page: the named one, otherwise `app` beside this program (as installed) or `pkg/dist`
/// here (as built from source).
///
/// # Errors
/// [`ServeError::NoApp`] when none holds an `index.html`.
pub fn find_app_dir(named: Option<&Path>) -> Result<PathBuf, ServeError> {
    let looked_in = match named {
        Some(dir) => vec![dir.to_owned()],
        None => {
            let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("app")));
            beside.into_iter().chain([PathBuf::from("pkg/dist")]).collect()
        }
    };
    match looked_in.iter().find(|dir| dir.join(bundle::INDEX).is_file()) {
        Some(dir) => Ok(dir.clone()),
        None => Err(ServeError::NoApp { looked_in }),
    }
}

/// What every request handler sees.
#[derive(Debug)]
struct Site {
    shelf: Shelf,
    /// The port that is listened on, which browsers must name.
    port: u16,
    models: models::Folder,
    desk: Desk,
}

/// A server whose port is taken and whose page is loaded.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

impl Server {
    /// Takes the port on 127.0.0.1 (0: any free one) and loads the page; `desk` writes for it.
    ///
    /// # Errors
    /// [`ServeError`], with what to do about it.
    pub fn bind(port: u16, app_dir: &Path, desk: Desk) -> Result<Self, ServeError> {
        let shelf = Shelf::load(app_dir)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortInUse { port },
            _ => ServeError::Io(error),
        })?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let models = models::Folder::new(models_dir(None));
        Ok(Self { listener, site: Arc::new(Site { shelf, port, models, desk }) })
    }

    /// The address to open.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.site.port)
    }

    /// The page's version, where its `version.json` tells one.
    #[must_use]
    pub fn bundle_version(&self) -> Option<String> {
        self.site.shelf.current().version().map(str::to_owned)
    }

    /// Serves until SIGINT or SIGTERM, then finishes what is being answered.
    ///
    /// # Errors
    /// [`ServeError::Io`] when the system gives no threads or signals.
    pub fn run_until_signalled(self) -> Result<(), ServeError> {
        self.run_until(connections::signalled)
    }

    /// Serves until `stop` is done, then finishes what is being answered. `stop` is made where signals can be heard.
    ///
    /// # Errors
    /// [`ServeError::Io`] when the system gives no threads, or that of `stop`.
    pub fn run_until<F: Future<Output = ()>>(self, stop: impl FnOnce() -> io::Result<F>) -> Result<(), ServeError> {
        // Two threads: one page and its worker ask at a time, and the work per request is copying.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let result = runtime.block_on(async {
            let stop = stop()?;
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            connections::serve(listener, router(self.site), stop).await;
            Ok(())
        });
        // Connections that did not end in time go with the runtime.
        runtime.shutdown_background();
        result
    }
}

fn router(site: Arc<Site>) -> Router {
    // The language model works for the page, and for programs that know the key.
    let paired = Router::new()
        .route("/api/generator", routing::get(generator::tell).post(generator::load).delete(generator::unload))
        .route("/v1/models", routing::get(chat::models))
        .route("/v1/chat/completions", routing::post(chat::complete))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&site), pairing::check));
    Router::new()
        .merge(paired)
        .route("/api/health", routing::get(api::health))
        .route("/api/models", routing::get(models::list))
        .route("/api/models/{model}/fetch", routing::post(models::begin_fetch).delete(models::stop_fetch))
        .route("/api/models/{model}/{file}", routing::get(models::file))
        .route("/api", routing::any(api::unknown))
        .route("/api/{*rest}", routing::any(api::unknown))
        .route("/v1", routing::any(api::unknown))
        .route("/v1/{*rest}", routing::any(api::unknown))
        .method_not_allowed_fallback(api::wrong_method)
        .fallback(pages::serve)
        // Outermost first: every answer, refusals included, carries the policy's headers.
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guard::check))
        .layer(middleware::from_fn_with_state(Arc::clone(&site), policy::add_headers))
        .with_state(site)
}
