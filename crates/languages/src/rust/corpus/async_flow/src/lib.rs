use std::future::{self, Future};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

pub struct Client {
    base: String,
    retry: Option<Arc<Client>>,
}

#[derive(Debug)]
pub struct Response {
    status: u16,
}

impl Response {
    async fn text(self) -> Result<String, Failure> {
        Err(Failure)
    }

    fn status(&self) -> u16 {
        self.status
    }

    fn ready(&self) {}
}

#[derive(Debug)]
pub struct Failure;

impl Failure {
    fn status(&self) -> u16 {
        500
    }
}

trait Fetch {
    async fn fetch(&self, path: &str) -> Response;

    fn boxed<'a>(&'a self, path: &'a str) -> Pin<Box<dyn Future<Output = Response> + 'a>> {
        Box::pin(async move { self.fetch(path).await }) // calls :Fetch.fetch
    }
}

impl Fetch for Client {
    async fn fetch(&self, _path: &str) -> Response {
        Response { status: self.base.len() as u16 }
    }
}

struct Delay(u32);

impl Future for Delay {
    type Output = Client;

    fn poll(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<Client> {
        match self.0 {
            0 => Poll::Ready(connect("a")), // calls :connect
            _ => Poll::Pending,
        }
    }
}

impl Client {
    async fn get(&self, path: &str) -> Result<Response, Failure> {
        let response = self.fetch(path).await; // calls :Client.fetch
        match &self.retry {
            Some(client) if response.status() > 400 => Box::pin(client.get(path)).await, // calls :Response.status, :Client.get
            _ => Ok(response),
        }
    }

    fn later<'a>(&'a self, path: &'a str) -> impl Future<Output = Response> + 'a {
        async move { self.get(path).await.unwrap() } // calls :Client.get
    }
}

fn connect(base: &str) -> Client {
    Client { base: base.into(), retry: None }
}

async fn open() -> Client {
    Delay(1).await // calls :Delay
}

async fn with<F, Fut>(make: F) -> u16
where
    F: Fn(Client) -> Fut,
    Fut: Future<Output = Response>,
{
    let response = make(open().await).await; // calls :open
    response.status() // calls :Response.status
}

pub async fn run() -> Result<(), Failure> {
    let client = open().await; // calls :open
    client.get("a").await?.status(); // calls :Client.get, :Response.status
    client.get("b").await?.text().await?.len(); // calls :Client.get, :Response.text
    client.later("c").await.status(); // calls :Client.later, :Response.status
    client.boxed("d").await.ready(); // calls :Fetch.boxed, :Response.ready
    Delay(2).await.get("e").await.unwrap_err().status(); // calls :Delay, :Client.get, :Failure.status
    let pending = client.fetch("f"); // calls :Client.fetch
    pending.await.status(); // calls :Response.status
    with(|client| async move { client.fetch("g").await }).await; // calls :with, :Client.fetch
    let block = async { connect("h") }; // calls :connect
    block.await.later("i").await.text().await?; // calls :Client.later, :Response.text
    future::ready(client).await.get("j").await.map(|r| r.status())?; // calls :Client.get (missed), :Response.status (missed)
    Ok(())
}
