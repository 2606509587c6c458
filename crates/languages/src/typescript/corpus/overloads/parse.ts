export function parse(text: string): Document;
export function parse(bytes: Uint8Array): Binary;
export function parse(input: string | Uint8Array): Document | Binary {
  return typeof input === "string" ? new Document(input) : new Binary(); // calls :Document.constructor, :Binary
}

export class Document {
  readonly text: string;

  constructor(text: string);
  constructor(text: string, strict: boolean);
  constructor(text: string, strict?: boolean) {
    this.text = text;
    this.check(strict ?? false); // calls :Document.check
  }

  find(name: string): Document;
  find(index: number): Binary;
  find(key: string | number): Document | Binary {
    return typeof key === "number" ? new Binary() : this; // calls :Binary
  }

  print(): void {}
  private check(strict: boolean): void {}
}

export class Binary {
  dump(): void {}
  print(): void {}
}
