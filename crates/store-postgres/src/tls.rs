//! TLS with the system's certificates.

use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use store::StoreError;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

/// Makes connections with checked certificates.
#[derive(Clone)]
pub(crate) struct MakeTls(Arc<ClientConfig>);

/// The configuration. The system's certificates are read only if TLS may be used.
pub(crate) fn make(roots: Option<&Path>, may_be_used: bool) -> Result<MakeTls, StoreError> {
    let mut trusted = RootCertStore::empty();
    if may_be_used {
        trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    if let Some(file) = roots {
        let fail = |reason: String| StoreError::Backend {
            context: format!("reading {}", file.display()),
            reason,
        };
        let found = CertificateDer::pem_file_iter(file).map_err(|e| fail(e.to_string()))?;
        for certificate in found {
            let certificate = certificate.map_err(|e| fail(e.to_string()))?;
            trusted.add(certificate).map_err(|e| fail(e.to_string()))?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| StoreError::Backend {
            context: "preparing TLS".to_owned(),
            reason: e.to_string(),
        })?
        .with_root_certificates(trusted)
        .with_no_client_auth();
    Ok(MakeTls(Arc::new(config)))
}

impl MakeTlsConnect<Socket> for MakeTls {
    type Stream = Stream;
    type TlsConnect = Connect;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Connect> {
        // A socket of the file system has no name, and is never asked for TLS.
        let name = ServerName::try_from(host.to_owned());
        Ok(Connect {
            name: name.ok(),
            connector: TlsConnector::from(self.0.clone()),
        })
    }
}

/// A connection about to be made.
pub(crate) struct Connect {
    name: Option<ServerName<'static>>,
    connector: TlsConnector,
}

impl TlsConnect<Socket> for Connect {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "the host has no name");
            let name = self.name.ok_or_else(nameless)?;
            Ok(Stream(self.connector.connect(name, socket).await?))
        })
    }
}

/// An encrypted connection.
pub(crate) struct Stream(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
