import { Animal, Cat, Dog, isDog, type Named } from "./model";

function greet(animal: Animal): string {
  if (animal instanceof Cat) {
    animal.purr(); // calls model.ts:Cat.purr
    return animal.name(); // calls model.ts:Cat.name
  }
  if (isDog(animal)) { // calls model.ts:isDog
    return animal.bark(); // calls model.ts:Dog.bark
  }
  return animal.speak(1) + animal.name(); // calls model.ts:Animal.speak, model.ts:Named.name
}

function introduce(one: Named, other: Dog | Cat): void {
  one.name(); // calls model.ts:Named.name
  other.speak(); // calls model.ts:Dog.speak, model.ts:Cat.speak
  if ("purr" in other) {
    other.purr(); // calls model.ts:Cat.purr
  }
}

type Event =
  | { kind: "add"; who: Animal }
  | { kind: "drop"; which: Named };

function handle(event: Event): string {
  switch (event.kind) {
    case "add":
      return event.who.speak(); // calls model.ts:Animal.speak
    case "drop":
      return event.which.name(); // calls model.ts:Named.name
  }
}

const literal: Animal = {
  name() {
    return "literal";
  },
  speak() {
    return this.name(); // calls model.ts:Named.name (missed), :literal.name (wrong)
  },
};

greet(literal); // calls :greet
introduce(new Dog(), new Cat()); // calls :introduce, model.ts:Dog, model.ts:Cat
handle({ kind: "add", who: new Dog() }).trim(); // calls :handle, model.ts:Dog
// The platform's object has a method of the same name.
speechSynthesis.speak(new SpeechSynthesisUtterance("hi"));
