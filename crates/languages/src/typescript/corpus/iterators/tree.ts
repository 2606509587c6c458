export class Node<T> implements Iterable<T> {
  children: Node<T>[] = [];

  constructor(readonly value: T) {}

  add(value: T): Node<T> {
    const child = new Node(value); // calls :Node.constructor
    this.children.push(child);
    return child;
  }

  *[Symbol.iterator](): Iterator<T> {
    yield this.value;
    for (const child of this.children) {
      yield* child;
    }
  }

  *walk(): IterableIterator<Node<T>> {
    yield this;
    for (const child of this.children) yield* child.walk(); // calls :Node.walk
  }

  map<U>(change: (value: T) => U): Node<U> {
    const copy = new Node(change(this.value)); // calls :Node.constructor
    copy.children = this.children.map((child) => child.map(change)); // calls :Node.map
    return copy;
  }
}

export function* take<T>(count: number, values: Iterable<T>): Generator<T, void> {
  for (const value of values) {
    if (count-- <= 0) return;
    yield value;
  }
}
