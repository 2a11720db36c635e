// The bundles of translations: what VS Code reads when it speaks another language than English.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readStrings } from './readStrings.mjs';

/** The languages beside English. */
export const languages = ['zh-cn'];

/**
 * Every pair of files: the English one, by which the other goes. `texts` are the English texts by key; of the bundle, the
 * texts are their own keys.
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

/** The file with every text in English, as translators' tools read it. It does not ship. */
export const englishBundle = 'l10n/bundle.l10n.json';

/** Compares a translation with the texts. Returns the missing keys and the unused ones. */
export function compare(texts, translated) {
  return {
    missing: Object.keys(texts).filter(key => !Object.hasOwn(translated, key) || translated[key] === ''),
    stale: Object.keys(translated).filter(key => !Object.hasOwn(texts, key)),
  };
}

/** The translation in the order of the texts, without what is stale. */
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
