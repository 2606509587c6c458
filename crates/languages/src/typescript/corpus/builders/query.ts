export class Query {
  private parts: string[] = [];

  private constructor(private readonly table: string) {}

  static from(table: string): Query {
    return new Query(table); // calls :Query.constructor
  }

  where(text: string): this {
    this.parts.push(text);
    return this;
  }

  join(other: Query | string): Joined {
    const table = typeof other === "string" ? other : other.sql(); // calls :Query.sql
    return new Joined(this, table); // calls :Joined.constructor
  }

  limit = (count: number): this => this.where(`limit ${count}`); // calls :Query.where

  sql(): string {
    return [this.table, ...this.parts].join(" ");
  }
}

export class Joined {
  constructor(private readonly left: Query, private readonly right: string) {}

  on(column: string): Joined {
    this.left.where(column); // calls :Query.where
    return this;
  }

  sql(): string {
    return this.left.sql() + this.right; // calls :Query.sql
  }
}

export function build(fill: (query: Query) => Query | void): string {
  const query = Query.from("t"); // calls :Query.from
  return (fill(query) ?? query).sql(); // calls :Query.sql
}
