import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { arrange, compare, englishBundle, readBundles, readJson, toJson } from '../../l10n/bundles.mjs';
import { isSentence, stringsOf } from '../../l10n/readStrings.mjs';

/** What a translation must keep: places, code, links, icons, the ends of lines, and the mark of what asks before it acts. */
const kept = [/\{\d\}/g, /`[^`]+`/g, /\]\([^)]+\)/g, /\$\([\w-]+\)/g, /\n/g, /\{\{\w+\}\}/g];

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
      const advice = `Run npm run l10n and paste the lines that it prints, filled in, into ${file}.`;
      assert.deepEqual({ missing, stale }, { missing: [], stale: [] }, advice);
      assert.equal(readFileSync(file, 'utf8'), toJson(arrange(texts, translated)), `${file} is out of order: npm run l10n`);
    });

    it(`keeps places, code, links, icons and lines in ${file}`, () => {
      const wrong = Object.entries(translated).filter(([key, text]) =>
        kept.some(mark => marksOf(texts[key] ?? '', mark) !== marksOf(text, mark)),
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('is told to VS Code, and ships with its languages', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly l10n: string };
    assert.equal(manifest.l10n, './l10n');
    assert.match(readFileSync('.vscodeignore', 'utf8'), /^!l10n\/bundle\.l10n\.\*\.json$/m);
  });

  it('tells what a language lacks, and what is said no longer', () => {
    assert.deepEqual(compare({ a: 'a', b: 'b', c: 'c' }, { b: 'x', c: '', d: 'y' }), { missing: ['a', 'c'], stale: ['d'] });
    assert.deepEqual(arrange({ a: 'a', b: 'b', c: 'c' }, { c: 'z', b: 'x', d: 'y' }), { b: 'x', c: 'z' });
  });
});

describe('project/l10n strings', () => {
  it('are read out of calls, both sides of a choice, and tables', () => {
    const source = `
      import { t } from 'some words here';
      const a = t(n === 1 ? '1 thing' : 'Two\\nlines of \\'{0}\\'', 'an argument of it');
      const b = vscode.l10n.t(\n 'On a line of its own'\n);
      const c = { template: 'A sentence with {0}.', args: ['not words here'] };
      const d = set.get('never any words');`;
    assert.deepEqual(stringsOf('src/features/a.ts', source), [
      '1 thing',
      "Two\nlines of '{0}'",
      'On a line of its own',
      'A sentence with {0}.',
    ]);
  });

  it('are sentences in rooms of data, and no code', () => {
    assert.deepEqual(['{0} must be {1}', 'A batch is made.', 'an object', 'true or false'].map(isSentence), [true, true, true, true]);
    assert.deepEqual(['custom_id', '{0}', '{0}: {1}', 'max-tokens', 'Id'].map(isSentence), [false, false, false, false, false]);
    const source = `throw new Error('This is for programs.'); if (a === 'not for people') { x = ['For people to read.']; }`;
    assert.deepEqual(stringsOf('src/jsonl/a.ts', source), ['For people to read.']);
    assert.deepEqual(stringsOf('src/features/a.ts', source), []);
  });
});

function marksOf(text: string, mark: RegExp): string {
  return JSON.stringify([...text.matchAll(mark)].map(([found]) => found).sort());
}
