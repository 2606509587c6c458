//! TLS with checked certificates.

use crate::client::Socket;
use crate::error::Failure;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use store::StoreError;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// Makes connections with checked certificates: those that the system trusts, those that the user named, and those
/// issued by these.
pub(crate) struct Tls {
    named: Vec<CertificateDer<'static>>,
    /// Built when first needed, since the system has many certificates.
    config: OnceLock<Arc<ClientConfig>>,
}

/// Reads the certificates of authorities and servers that the user named.
pub(crate) fn read_certificates(named: Option<&Path>) -> Result<Tls, StoreError> {
    let mut certificates = Vec::new();
    if let Some(file) = named {
        let fail = |reason: String| StoreError::Backend {
            context: format!("reading {}", file.display()),
            reason,
        };
        let found = CertificateDer::pem_file_iter(file).map_err(|e| fail(e.to_string()))?;
        for certificate in found {
            certificates.push(certificate.map_err(|e| fail(e.to_string()))?);
        }
        if certificates.is_empty() {
            return Err(fail("there is no certificate in it".to_owned()));
        }
    }
    Ok(Tls {
        named: certificates,
        config: OnceLock::new(),
    })
}

impl Tls {
    /// The encryption for a connection to a host. A Unix socket has no host, and never uses TLS.
    pub(crate) fn connector(&self, host: Option<&str>) -> Result<Connect, Failure> {
        let Some(host) = host else {
            return Ok(Connect(None));
        };
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
        let config = match self.config.get() {
            Some(config) => config.clone(),
            None => {
                let made = Arc::new(self.make_config().map_err(io::Error::other)?);
                self.config.get_or_init(|| made).clone()
            }
        };
        Ok(Connect(Some((TlsConnector::from(config), name))))
    }

    fn make_config(&self) -> Result<ClientConfig, rustls::Error> {
        let mut trusted = RootCertStore::empty();
        trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        trusted.add_parsable_certificates(self.named.iter().cloned());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let chains = WebPkiServerVerifier::builder_with_provider(trusted.into(), provider.clone());
        let verifier = Verifier {
            // Without any trusted certificate there are no chains.
            chains: chains.build().ok(),
            named: self.named.clone(),
            algorithms: provider.signature_verification_algorithms,
        };
        Ok(ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth())
    }
}

/// Accepts a server certificate that the user named, or one with a chain to a trusted authority. A self-signed
/// certificate of a server is not an authority, and often has no name in the form that is required today.
#[derive(Debug)]
struct Verifier {
    chains: Option<Arc<WebPkiServerVerifier>>,
    named: Vec<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.named.iter().any(|named| named == certificate) {
            return Ok(ServerCertVerified::assertion());
        }
        match &self.chains {
            Some(chains) => chains.verify_server_cert(certificate, between, name, ocsp, now),
            None => Err(rustls::CertificateError::UnknownIssuer.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// The encryption of a connection that is about to be made.
pub(crate) struct Connect(Option<(TlsConnector, ServerName<'static>)>);

impl TlsConnect<Socket> for Connect {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let nameless = || io::Error::new(io::ErrorKind::InvalidInput, "the host has no name");
            let (connector, name) = self.0.ok_or_else(nameless)?;
            Ok(Stream(connector.connect(name, socket).await?))
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
