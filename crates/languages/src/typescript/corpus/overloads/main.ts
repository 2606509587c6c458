import { Document, parse } from "./parse";

function format(value: number): string;
function format(value: Date, zone: string): string;
function format(value: number | Date, zone = "utc"): string {
  return typeof value === "number" ? value.toFixed() : value.toISOString() + zone;
}

interface Query {
  (selector: string): Document;
  all(selector: string): Document[];
}

declare const $: Query;

parse("text").find("a").print(); // calls parse.ts:parse, parse.ts:Document.find, parse.ts:Document.print
parse(new Uint8Array()).dump(); // calls parse.ts:parse, parse.ts:Binary.dump
parse("text").find(1).print(); // calls parse.ts:parse, parse.ts:Document.find, parse.ts:Binary.print
format(1); // calls :format
format(new Date(), "cet").trim(); // calls :format
new Document("a", true).print(); // calls parse.ts:Document.constructor, parse.ts:Document.print
$("p").print(); // calls :$, parse.ts:Document.print
$.all("p").map((one) => one.find(2).dump()); // calls :Query.all, parse.ts:Document.find, parse.ts:Binary.dump
JSON.parse("{}").print();
