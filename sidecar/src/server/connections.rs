//! The accept loop: bounds on connections and headers, and an end that lets answers finish. Not for what is answered.

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use std::{io, pin::pin, sync::Arc, time::Duration};
use tokio::{net::TcpListener, sync::Semaphore, time};

/// How long answers may take to finish after the signal to stop.
const SHUTDOWN_PATIENCE: Duration = Duration::from_secs(3);

/// How long a client may take over a request's headers, and how long an idle connection is kept.
const HEADER_PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of headers that are read at most; browsers send about 1 kB.
const HEADER_BYTES: usize = 32 << 10;

/// Connections at a time; a browser opens six. Further ones wait.
const MAX_CONNECTIONS: usize = 128;

/// Accepts until `stop` is done, then waits for open answers, [`SHUTDOWN_PATIENCE`] at most.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let mut stop = pin!(stop);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places) => accepted,
            () = &mut stop => break,
        };
        let Some((stream, place)) = accepted else { continue };
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEADER_PATIENCE).max_buf_size(HEADER_BYTES);
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks off or sends no HTTP is its own affair.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = time::timeout(SHUTDOWN_PATIENCE, graceful.shutdown()).await;
}

/// The next connection with its place among [`MAX_CONNECTIONS`]; `None` after an error.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => {
            // Small answers are not to wait for a full packet; a socket that refuses this still works.
            let _ = stream.set_nodelay(true);
            Some((stream, place))
        }
        Err(_) => {
            // Out of file descriptors, usually: trying at once again would spin.
            time::sleep(Duration::from_millis(100)).await;
            None
        }
    }
}

/// Is done at SIGINT or SIGTERM. Listens from now on.
pub(super) fn signalled() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // Without a handler the server ends as it would at the system's hands: only when it is closed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
