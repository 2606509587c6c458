export interface Named {
  name(): string;
}

export interface Animal extends Named {
  speak(volume?: number): string;
  onMove?: (distance: number) => void;
}

export class Dog implements Animal {
  name(): string {
    return "dog";
  }
  speak(): string {
    return this.bark(); // calls :Dog.bark
  }
  bark(): string {
    return "woof";
  }
}

export class Cat implements Animal {
  name = (): string => "cat";
  speak(): string {
    return "meow";
  }
  purr(): void {}
}

export function isDog(animal: Animal): animal is Dog {
  return animal.name() === "dog"; // calls :Named.name
}
