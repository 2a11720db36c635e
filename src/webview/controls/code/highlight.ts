import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** A token of code: text, or nested tokens of one kind, such as `keyword` or `string`. */
export type CodePiece = string | { readonly sort: string; readonly pieces: readonly CodePiece[] };

const highlighter = core.newInstance();
for (const [name, language] of Object.entries({
  ...{ bash, css, diff, go, javascript, json, python, rust, sql, typescript, xml, yaml },
})) {
  highlighter.registerLanguage(name, language);
}

/** Divides code of a language into tokens, which together are the code. Returns `undefined` for an unknown language. */
export function highlight(code: string, language: string): readonly CodePiece[] | undefined {
  if (highlighter.getLanguage(language) === undefined) {
    return undefined;
  }
  const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return piecesOf((_emitter as unknown as { readonly rootNode?: unknown }).rootNode);
}

/** Converts a node of the library's tree to tokens. The library's HTML is never used. */
function piecesOf(node: unknown): readonly CodePiece[] {
  const { children } = node as { readonly children: readonly unknown[] };
  const pieces: CodePiece[] = [];
  for (const child of children) {
    const last = pieces.at(-1);
    if (typeof child !== 'string') {
      pieces.push({ sort: String((child as { readonly scope?: unknown }).scope ?? ''), pieces: piecesOf(child) });
    } else if (typeof last === 'string') {
      pieces[pieces.length - 1] = last + child;
    } else {
      pieces.push(child);
    }
  }
  return pieces;
}
