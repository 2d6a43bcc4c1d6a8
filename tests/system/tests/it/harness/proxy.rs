//! A wire that can be cut: what stands between the services and the broker.

use std::{net::SocketAddr, thread};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    runtime,
    sync::watch,
};

/// A TCP proxy on a port of its own. Its thread lives as long as the process, whichever test uses it.
pub struct Proxy {
    pub address: SocketAddr,
    whole: watch::Sender<bool>,
}

impl Proxy {
    /// A proxy to `server` (`host:port`).
    pub async fn to(server: String) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (whole, state) = watch::channel(true);
        thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(forward(listener, server, state));
        });
        Self { address, whole }
    }

    /// Ends every connection, and each new one as soon as it comes.
    pub fn cut(&self) {
        self.whole.send_replace(false);
    }

    pub fn mend(&self) {
        self.whole.send_replace(true);
    }
}

async fn forward(listener: std::net::TcpListener, server: String, state: watch::Receiver<bool>) {
    let listener = TcpListener::from_std(listener).unwrap();
    loop {
        let Ok((mut ours, _)) = listener.accept().await else {
            continue;
        };
        let (server, mut state) = (server.clone(), state.clone());
        tokio::spawn(async move {
            if !*state.borrow() {
                return;
            }
            let Ok(mut theirs) = TcpStream::connect(server).await else {
                return;
            };
            tokio::select! {
                _ = copy_bidirectional(&mut ours, &mut theirs) => {}
                _ = state.wait_for(|whole| !whole) => {}
            }
        });
    }
}
