// @ts-check
// The pseudo locale of tests. Every text is longer, has accents and is between marks, so that untranslated texts are visible.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readBundles, toJson } from './bundles.mjs';

export const pseudoLanguage = 'qps-ploc';

/** Parts that stay unchanged: placeholders, code, link targets, icons, HTML. */
const kept = /\{\{?\w+\}?\}|`[^`]*`|\]\([^)]*\)|\$\([\w~-]+\)|<[^>]+>/;

const accents = new Map(Object.entries({ a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú', c: 'ç', n: 'ñ' }));

/**
 * Returns a text in the pseudo locale, about a third longer. Parts that a program reads are unchanged.
 * @param {string} text
 */
export function toPseudo(text) {
  const parts = text.split(new RegExp(`(${kept.source})`));
  const words = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, letter => accents.get(letter) ?? letter)));
  return `«${words.join('')}${'~'.repeat(Math.ceil(text.length / 3))}»`;
}

/**
 * Writes the bundles of the pseudo locale into a folder with an extension.
 * @param {string} root the project's root
 * @param {string} folder
 */
export function writePseudoLocale(root, folder) {
  for (const { file, texts } of readBundles(root)) {
    const name = file.replace(/\.[\w-]+\.json$/, `.${pseudoLanguage}.json`);
    writeFileSync(path.join(folder, name), toJson(Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, toPseudo(text)]))));
  }
}
