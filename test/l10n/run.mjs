// Updates the bundles of translations: npm run l10n. Writes l10n/bundle.l10n.json from the source, drops unused texts from each translation
// and sorts the rest. Prints each missing translation as a line to fill in, below the name of its file.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { arrange, compare, englishBundle, readBundles, readJson, toJson } from './bundles.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
mkdirSync(path.join(root, 'l10n'), { recursive: true });
const bundles = readBundles(root);
writeFileSync(path.join(root, englishBundle), toJson(bundles[0].texts));
for (const { file, texts } of bundles) {
  const translated = readJson(path.join(root, file));
  const { missing, stale } = compare(texts, translated);
  writeFileSync(path.join(root, file), toJson(arrange(texts, translated)));
  console.log(`${file}: ${Object.keys(texts).length} texts, ${missing.length} to translate, ${stale.length} dropped`);
  for (const key of missing) {
    const hint = texts[key] === key ? '' : ` // ${texts[key]}`;
    console.log(`  ${JSON.stringify(key)}: "",${hint}`);
  }
}
