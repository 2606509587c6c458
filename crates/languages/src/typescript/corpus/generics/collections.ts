export interface Entity {
  id(): string;
}

export class Store<T extends Entity> {
  private items = new Map<string, T>();
  private order: T[] = [];

  add(item: T): this {
    this.items.set(item.id(), item); // calls :Entity.id
    this.order.push(item);
    return this;
  }

  get(id: string): T | undefined {
    return this.items.get(id);
  }

  first(): T {
    return this.order[0]!;
  }

  map<U extends Entity>(fn: (item: T) => U): Store<U> {
    const result = new Store<U>(); // calls :Store
    for (const item of this.order) {
      result.add(fn(item)); // calls :Store.add
    }
    return result;
  }

  *values(): Generator<T> {
    yield* this.order;
  }
}

export function first<T>(list: readonly T[]): T {
  return list[0];
}

export function pair<A, B>(a: A, b: B): [A, B] {
  return [a, b];
}

export function make<T>(type: new () => T): T {
  return new type();
}
