// The bundles of translations, which VS Code reads for languages other than English.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readStrings } from './readStrings.mjs';

/** Languages in addition to English. */
export const languages = ['zh-cn'];

/**
 * Returns every English file with its translation. `texts` are the English texts by key. In the bundle, the texts are their own keys.
 * @param {string} root the project's root
 */
export function readBundles(root = '.') {
  const english = Object.fromEntries([...readStrings(root)].sort(byCode).map(text => [text, text]));
  const manifest = readJson(path.join(root, 'package.nls.json'));
  return languages.flatMap(language => [
    { file: `l10n/bundle.l10n.${language}.json`, texts: english },
    { file: `package.nls.${language}.json`, texts: manifest },
  ]);
}

/** The file with every English text, for translators' tools. It is not shipped. */
export const englishBundle = 'l10n/bundle.l10n.json';

/** Compares a translation with the texts. Returns the missing keys and the unused ones. */
export function compare(texts, translated) {
  return {
    missing: Object.keys(texts).filter(key => !Object.hasOwn(translated, key) || translated[key] === ''),
    stale: Object.keys(translated).filter(key => !Object.hasOwn(texts, key)),
  };
}

/** Returns the translation in the order of the texts, without unused ones. */
export function arrange(texts, translated) {
  return Object.fromEntries(Object.keys(texts).flatMap(key => (translated[key] ? [[key, translated[key]]] : [])));
}

export function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export function toJson(texts) {
  return `${JSON.stringify(texts, null, 2)}\n`;
}

function byCode(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
