import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { arrange, compare, englishBundle, readBundles, readJson, toJson } from '../../l10n/bundles.mjs';
import { isSentence, stringsOf } from '../../l10n/readStrings.mjs';

/** What a translation keeps as it is: placeholders, code, links, icons, line breaks, and placeholders of templates. */
const marks = [/\{\d\}/g, /`[^`]+`/g, /\]\([^)]+\)/g, /\$\([\w-]+\)/g, /\n/g, /\{\{\w+\}\}/g];

describe('project/l10n', () => {
  const bundles = readBundles();

  it('exports every text that the source says: npm run l10n', () => {
    const [bundle] = bundles;
    assert.ok(bundle !== undefined && Object.keys(bundle.texts).length > 3000);
    assert.equal(readFileSync(englishBundle, 'utf8'), toJson(bundle.texts), `${englishBundle} is stale: npm run l10n`);
  });

  for (const { file, texts } of bundles) {
    const translated: Readonly<Record<string, string>> = readJson(file);

    it(`has every text in ${file}: npm run l10n prints what to fill in`, () => {
      const { missing, stale } = compare(texts, translated);
      assert.deepEqual({ missing, stale }, { missing: [], stale: [] }, `Run npm run l10n and fill in the lines it prints for ${file}.`);
      assert.equal(readFileSync(file, 'utf8'), toJson(arrange(texts, translated)), `${file} is out of order: npm run l10n`);
    });

    it(`keeps placeholders, code, links, icons and line breaks in ${file}`, () => {
      const wrong = Object.entries(translated).filter(([key, text]) =>
        marks.some(mark => marksOf(texts[key] ?? '', mark) !== marksOf(text, mark)),
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('is told to VS Code, and ships with its languages', () => {
    assert.equal(readJson('package.json').l10n, './l10n');
    assert.match(readFileSync('.vscodeignore', 'utf8'), /^!l10n\/bundle\.l10n\.\*\.json$/m);
  });

  it('reads texts out of calls, both sides of a choice, and tables', () => {
    const source = `
      const a = t(n === 1 ? '1 thing' : 'Two\\nlines of \\'{0}\\'', 'an argument of it');
      const b = vscode.l10n.t(\n 'On a line of its own'\n);
      const c = { template: 'A sentence with {0}.', args: ['not words here'] };
      const d = set.get('never any words');`;
    const texts = ['1 thing', "Two\nlines of '{0}'", 'On a line of its own', 'A sentence with {0}.'];
    assert.deepEqual(stringsOf('src/features/a.ts', source), texts);
  });

  it('reads sentences out of rooms of data, and no code', () => {
    assert.ok(['{0} must be {1}', 'A batch is made.', 'an object', 'true or false'].every(isSentence));
    assert.ok(!['custom_id', '{0}', '{0}: {1}', 'max-tokens', 'Id'].some(isSentence));
    const source = `throw new Error('This is for programs.'); if (a === 'not for people') { x = ['For people to read.']; }`;
    assert.deepEqual(stringsOf('src/jsonl/a.ts', source), ['For people to read.']);
    assert.deepEqual(stringsOf('src/features/a.ts', source), []);
  });
});

function marksOf(text: string, mark: RegExp): string {
  return JSON.stringify([...text.matchAll(mark)].map(([found]) => found).sort());
}
