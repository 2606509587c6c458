import { Node, take } from "./tree";

class Word {
  constructor(readonly text: string) {}
  map(): string {
    return this.text;
  }
}

const root: Node<Word> = new Node(new Word("a")); // calls tree.ts:Node.constructor, :Word.constructor
new Node(new Word("d")).value.map(); // calls tree.ts:Node.constructor, :Word.constructor, :Word.map (missed)
root.add(new Word("b")).add(new Word("c")); // calls tree.ts:Node.add, :Word.constructor

for (const word of root) {
  word.map(); // calls :Word.map
}
for (const node of root.walk()) { // calls tree.ts:Node.walk
  node.value.map(); // calls :Word.map
}
for (const [index, word] of [...root].entries()) {
  word.map().repeat(index); // calls :Word.map
}
const [head, ...tail] = root;
head.map(); // calls :Word.map
tail.map((word) => word.map()); // calls :Word.map, tree.ts:Node.map (wrong)
Array.from(take(2, root)).forEach((word) => word.map()); // calls tree.ts:take, :Word.map (missed)
root.map((word) => word.map()).value.trim(); // calls tree.ts:Node.map, :Word.map

const groups = new Map<string, Set<Word>>([["a", new Set([...root])]]);
for (const [name, words] of groups) {
  words.forEach((word) => word.map()); // calls :Word.map
  name.trim();
}
const found = [...groups.values()].flatMap((words) => [...words]).find((word) => word.map() === "a"); // calls :Word.map
found?.map(); // calls :Word.map
const byText = Object.fromEntries([...root].map((word) => [word.map(), word])); // calls :Word.map
Object.values(byText).map((word) => word.map()); // calls :Word.map (missed)
const sorted = [...root].filter(Boolean).sort((a, b) => a.map().localeCompare(b.map())); // calls :Word.map
sorted.reverse()[0].map(); // calls :Word.map
take(1, root).next().value?.map(); // calls tree.ts:take, :Word.map (missed)
