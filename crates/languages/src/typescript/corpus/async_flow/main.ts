import { Body, pages, request, retry } from "./api";

async function show(): Promise<string> {
  const response = await request("/a"); // calls api.ts:request
  const body = await response.json(); // calls api.ts:Response.json
  return body.title(); // calls api.ts:Body.title
}

function chain(): Promise<string> {
  return request("/b") // calls api.ts:request
    .then((response) => response.json()) // calls api.ts:Response.json
    .then((body) => body.title()) // calls api.ts:Body.title
    .catch(() => fallback()) // calls :fallback
    .finally(() => done()); // calls :done
}

function fallback(): string {
  return "";
}

const done = (): void => {};

async function all(): Promise<void> {
  const [one, two] = await Promise.all([request("/c"), show()]); // calls api.ts:request, :show
  one.cancel(); // calls api.ts:Response.cancel
  two.trim();
  for await (const page of pages(2)) { // calls api.ts:pages
    page.cancel(); // calls api.ts:Response.cancel (missed)
  }
  const again = await retry(2, () => request("/d")); // calls api.ts:retry, api.ts:request
  again.cancel(); // calls api.ts:Response.cancel
  (await (await fetch("/e")).json()).title();
  const bodies: Promise<Body>[] = [again.json()]; // calls api.ts:Response.json
  (await Promise.race(bodies)).title(); // calls api.ts:Body.title
}

void all().then(chain); // calls :all
