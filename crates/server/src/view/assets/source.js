// Source text with numbered lines and a little colour. The colours are a reader's aid: words of all languages, not a grammar.

import { el, visible } from "./dom.js";

const WORDS = new Set(
  ("abstract as async await break case catch class const continue def default defer del do elif else enum except export extends extern false final finally fn for from func function global go goto if impl implements import in instanceof interface is lambda let loop match mod module mut namespace new nil None null override package pass private protected pub public raise readonly record ref return select self static struct super switch this throw throws trait true True False try type typedef typeof union unsafe use using val var virtual void volatile when where while with yield").split(" "),
);

// A comment to the end of the line, a string within the line, a number, a word.
const TOKEN = /(\/\/.*|#(?!\[|include|define|if|endif|else).*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(\b\d[\w.]*)|([A-Za-z_$][\w$]*)/g;

const HASH_COMMENTS = new Set(["python", "ruby", "shell", "yaml", "toml", "makefile", "dockerfile", "perl", "r"]);

// What may be open at the end of a line: its beginning, its end and its class.
const SPANS = [
  ["/*", "*/", "comment"],
  ['"""', '"""', "string"],
  ["'''", "'''", "string"],
];

// Pieces of a line, each with its class. `open` is the span that the line begins in; the one that it ends in comes back.
export function pieces(line, language, open = undefined) {
  const found = [];
  let rest = line;
  while (rest || open) {
    if (open) {
      const end = rest.indexOf(open[1]);
      if (end < 0) {
        if (rest) found.push([rest, open[2]]);
        return [found, open];
      }
      found.push([rest.slice(0, end + open[1].length), open[2]]);
      rest = rest.slice(end + open[1].length);
      open = undefined;
    }
    const next = SPANS.filter(([begin]) => begin !== "/*" || !HASH_COMMENTS.has(language))
      .map((span) => [rest.indexOf(span[0]), span])
      .filter(([at]) => at >= 0 && !isQuoted(rest, at))
      .sort((a, b) => a[0] - b[0])[0];
    if (!next) {
      found.push(...plainPieces(rest, language));
      return [found, undefined];
    }
    const [at, span] = next;
    found.push(...plainPieces(rest.slice(0, at), language), [span[0], span[2]]);
    rest = rest.slice(at + span[0].length);
    open = span;
  }
  return [found, open];
}

// Whether a place lies within a string or a comment of the line.
function isQuoted(line, at) {
  for (const token of line.matchAll(TOKEN)) {
    const isText = token[2] && token[2] !== '""' && token[2] !== "''";
    const isComment = token[1] && !token[1].startsWith("/*");
    if ((isText || isComment) && token.index < at && at < token.index + token[0].length) return true;
  }
  return false;
}

function plainPieces(line, language) {
  const found = [];
  let end = 0;
  const push = (text, kind) => text && found.push([text, kind]);
  for (const token of line.matchAll(TOKEN)) {
    const [text, comment, string, number, word] = token;
    let kind = "";
    if (comment) kind = comment.startsWith("#") && !HASH_COMMENTS.has(language) ? "" : "comment";
    else if (string) kind = "string";
    else if (number) kind = "number";
    else if (word && WORDS.has(word)) kind = "keyword";
    push(line.slice(end, token.index), "");
    push(text, kind);
    end = token.index + text.length;
  }
  push(line.slice(end), "");
  return found;
}

// The lines, with links at lines that `marks` names: line → function that makes what stands behind it.
export function sourceView(source, language, marks = new Map()) {
  const lines = source.text.replace(/\n$/, "").split("\n");
  const body = el("code", {});
  let open;
  lines.forEach((line, at) => {
    const number = source.first_line + at;
    const mark = marks.get(number);
    const text = el("span", { class: "text" });
    const [found, next] = pieces(line, language, open);
    open = next;
    for (const [piece, kind] of found) {
      text.append(kind ? el("span", { class: kind }, piece) : document.createTextNode(visible(piece)));
    }
    body.append(
      el("span", { class: mark ? "line marked" : "line", id: `line-${number}` }, el("span", { class: "line-number", "aria-hidden": "true" }, number), text, mark ? mark() : undefined, "\n"),
    );
  });
  const cut = source.lines_left_out ? el("p", { class: "quiet" }, `${source.lines_left_out} more lines are not shown`) : undefined;
  return el("div", {}, el("pre", { class: "source", tabindex: "0", role: "region", "aria-label": "Source" }, body), cut);
}
