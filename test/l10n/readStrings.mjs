// Reads the English sentences to translate from the source, for the bundle.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import jsTokens from 'js-tokens';

/** Folders that don't import `vscode`. Code in other folders translates and shows their sentences. */
const roomsOfData = /^src\/(?:contract|jsonl|shared)\//;

/** Folders without interface texts. */
const withoutWords = /^src\/(?:emulator|client)\/|\/wasm\//;

/** Exceptions in `roomsOfData`: their sentences are errors for programs, or texts of exported files, which are English. */
const withoutData = /^src\/(?:jsonl\/(?:files|jobs|retrying)|shared\/(?:schema|session\/(?:exporting|asking)))\//;

/** Files with a table of sentences, which translate the sentence that they show. */
const withTables = /\/(?:\w*[tT]exts|verifyDelivery)\.ts$/;

/** Names of translation functions: `vscode.l10n.t`, or a `t` or `translate` parameter. */
const translators = new Set(['t', 'translate']);

/**
 * Returns every sentence to translate, in English.
 * @param {string} root the project's root
 * @returns {ReadonlySet<string>}
 */
export function readStrings(root = '.') {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).map(name => `src/${name.replaceAll('\\', '/')}`);
  const sources = files.filter(file => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !withoutWords.test(file));
  const texts = sources.flatMap(file => stringsOf(file, readFileSync(path.join(root, file), 'utf8')));
  return new Set([...texts, ...wordsOfSchema(JSON.parse(readFileSync(path.join(root, schema), 'utf8')))].filter(hasWords));
}

/** Texts about fields and values in completions and hovers of requests. The schema is generated from the contract. */
const schema = 'media/schemas/request.schema.json';
const schemaWords = /^(?:markdownDescription|deprecationMessage|markdownEnumDescriptions)$/;

function wordsOfSchema(node) {
  return Object.entries(node).flatMap(([key, value]) => {
    const own = schemaWords.test(key) ? [value].flat().filter(text => typeof text === 'string') : [];
    return [...own, ...(typeof value === 'object' && value !== null ? wordsOfSchema(value) : [])];
  });
}

/** Returns the sentences of one file. */
export function stringsOf(file, source) {
  const tokens = tokensOf(file, source);
  const texts = [];
  const isData = (roomsOfData.test(file) && !withoutData.test(file)) || withTables.test(file);
  for (let at = 0; at < tokens.length; at++) {
    const { value } = tokens[at];
    if (translators.has(value) && tokens[at + 1]?.value === '(') {
      texts.push(...literalsOf(tokens, at + 2));
    } else if (isData || tokens[at - 2]?.value === 'template') {
      const text = textAt(tokens, at);
      if (text !== undefined && (isSentence(text) || tokens[at - 2]?.value === 'template') && !isForPrograms(tokens, at)) {
        texts.push(text);
      }
    }
  }
  return texts;
}

/** Returns the tokens of a file without white space and comments. */
export function tokensOf(file, source) {
  return [...jsTokens(source, { jsx: file.endsWith('.tsx') })].filter(
    ({ type }) => !/^(?:WhiteSpace|LineTerminatorSequence|MultiLineComment|SingleLineComment)$/.test(type),
  );
}

/** Returns the texts in value position of the argument that starts at a token. */
function literalsOf(tokens, start) {
  const texts = [];
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { value } = tokens[at];
    if (depth === 0 && (value === ',' || value === ')')) {
      break;
    }
    depth += /^[([{]$/.test(value) ? 1 : /^[)\]}]$/.test(value) ? -1 : 0;
    const text = textAt(tokens, at);
    if (text !== undefined && !/^[!=]==?$/.test(tokens[at - 1]?.value) && !/^[!=]==?$/.test(tokens[at + 1]?.value)) {
      texts.push(text);
    }
  }
  return texts;
}

/** Returns the text of a token if it is a string, or a template without placeholders. */
export function textAt(tokens, at) {
  const { type, value } = tokens[at];
  return type === 'StringLiteral' || type === 'NoSubstitutionTemplate' ? unescaped(value.slice(1, -1)) : undefined;
}

function unescaped(raw) {
  return raw.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r?\n)|(.))/gi, (_, braced, four, two, line, one) => {
    const code = braced ?? four ?? two;
    if (code !== undefined) {
      return String.fromCodePoint(Number.parseInt(code, 16));
    }
    return line === undefined ? ({ n: '\n', t: '\t', r: '\r' }[one] ?? one) : '';
  });
}

/** Returns whether a text has letters besides its placeholders. */
function hasWords(text) {
  return /\p{L}/u.test(text.replace(/\{\d\}/g, ''));
}

/** Returns whether a text is for people: several words, or one with a placeholder. */
export function isSentence(text) {
  return /\{\d\}/.test(text)
    ? /\p{L}{2}/u.test(text.replace(/\{\d\}/g, ''))
    : /^(?:\p{Lu}|`\w+`[, ]).* .*[\p{L}.]|\p{Ll}{2,} \p{Ll}{2,}/su.test(text);
}

/** Returns whether a text is compared, imported or thrown as an error for programs. */
function isForPrograms(tokens, at) {
  const before = tokens[at - 1]?.value ?? '';
  return (
    /^(?:[!=]==?|from|import)$/.test(before) ||
    /^[!=]==?$/.test(tokens[at + 1]?.value ?? '') ||
    (before === '(' && /(?:Error|^has|^get)$/.test(tokens[at - 2]?.value ?? ''))
  );
}
