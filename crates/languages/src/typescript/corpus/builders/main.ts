import { Query, build } from "./query";

const text = Query.from("users") // calls query.ts:Query.from
  .where("a = 1") // calls query.ts:Query.where
  .limit(3) // calls query.ts:Query.limit
  .join(Query.from("roles")) // calls query.ts:Query.join, query.ts:Query.from
  .on("id") // calls query.ts:Joined.on
  .sql() // calls query.ts:Joined.sql
  .trim();

build((query) => query.where(text).where("b")); // calls query.ts:build, query.ts:Query.where
build((query) => { // calls query.ts:build
  query.limit(1).sql(); // calls query.ts:Query.limit, query.ts:Query.sql
});

let current = Query.from("a"); // calls query.ts:Query.from
if (text) {
  current = current.where("b"); // calls query.ts:Query.where
}
current.sql(); // calls query.ts:Query.sql

const parts: string[] = ["a", "b"];
parts.join(","); // A list's method has the same name.

class Page {
  #query?: Query;

  query(): Query {
    return (this.#query ??= Query.from("page")); // calls query.ts:Query.from
  }

  text(): string {
    const { query } = this;
    const joined = this.query().join("x"); // calls :Page.query, query.ts:Query.join
    return joined.sql() + query().sql(); // calls query.ts:Joined.sql, :Page.query, query.ts:Query.sql
  }
}

new Page().text(); // calls :Page, :Page.text
