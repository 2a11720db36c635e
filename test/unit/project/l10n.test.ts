import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { arrange, compare, englishBundle, readBundles, readJson, toJson } from '../../l10n/bundles.mjs';
import { isSentence, stringsOf, textAt, tokensOf } from '../../l10n/readStrings.mjs';

/** Parts of a text that a translation must keep: placeholders, code, links, icons, line breaks, and placeholders of templates. */
const marks = [/\{\d\}/g, /`[^`]+`/g, /\]\([^)]+\)/g, /\$\([\w-]+\)/g, /\n/g, /\{\{\w+\}\}/g];

/** Rooms that show texts. Other rooms return sentences as data, which `npm run l10n` collects. */
const shown = /^src\/(?:features|common|webview|extension)/;

/** Functions whose arguments are not translated, such as logs, errors for programmers and sets of words. */
const forPrograms = /^(?:error|warn|info|debug|log|has|get|startsWith|Set|Map|\w*Error)$/;

/** Path prefixes of files in `src/features` with sentences that stay English on purpose. */
const inEnglish = [
  // Definitions that are sent to a service. Their author can change these texts.
  'resources/kinds/agentDefinition resources/kinds/deploymentDefinition resources/kinds/environments resources/kinds/memoryStores',
  // Text for an agent or a model.
  'assistant/ chatModels/toMessageRequest results/panel/groupFindings sessions/composing/fileText',
  'sessions/starting/transcriptAsContext sessions/rules/ruleDecider',
  // The report for an issue, and exported files.
  'diagnostics/copyDiagnostics sessions/exporting/exportMarkdown',
  // Words that menus and code match.
  'resources/agents/language/serviceNames batches/batchPresentation',
  // Reasons that are stored or thrown by lower layers, and quoted by the interface.
  'batches/fetching/fetchDownload batches/fetching/fetchResults batches/fetching/fetchedBody',
  'batches/submitting/submit ledger/submissionFile ledger/submissionSteps ledger/ledgerFiles',
].flatMap(starts => starts.split(' ').map(start => `src/features/${start.endsWith('/') ? start : `${start}.`}`));

/** Names of keys, and attributes and classes of elements. */
const codes = /^(?:Enter|Space|Page (?:Up|Down)|Control\+\w|[a-z]+[A-Z]\w*|\s)+$/;

describe('project/l10n', () => {
  const bundles = readBundles();

  it('exports every text in the source: npm run l10n', () => {
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

  it('translates every visible sentence', () => {
    const known = bundles[0]?.texts ?? {};
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map(name => `src/${name.replaceAll('\\', '/')}`)
      .filter(file => shown.test(file) && /\.tsx?$/.test(file) && !inEnglish.some(start => file.startsWith(start)));
    const found = files.flatMap(file => {
      const sentences = sentencesOf(file, readFileSync(file, 'utf8')).filter(text => !Object.hasOwn(known, text));
      return sentences.map(text => `${file}: ${text}`);
    });
    assert.ok(files.length > 500);
    assert.deepEqual(found, [], 'Wrap it in vscode.l10n.t, or in the translate that is handed in, then npm run l10n.');
  });

  it('finds labels, sentences, parts of sentences and element texts, but no logs and errors', () => {
    const source = `const a = { label: 'Delete', detail: \`Deleted \${n} of them all.\` }; x.tooltip = 'This cannot be undone';
      log.error('A sentence for the log', why(n)); throw new Error('This is for a program.'); import('no words here');`;
    assert.deepEqual(sentencesOf('src/a.ts', source), ['Delete', 'Deleted ', ' of them all.', 'This cannot be undone']);
    assert.deepEqual(sentencesOf('src/a.tsx', '<p title="Close this row">Nothing here {n}</p>'), ['Close this row', 'Nothing here']);
  });

  it('is declared to VS Code, and ships with its languages', () => {
    assert.equal(readJson('package.json').l10n, './l10n');
    assert.match(readFileSync('.vscodeignore', 'utf8'), /^!l10n\/bundle\.l10n\.\*\.json$/m);
  });

  it('reads texts from calls, both branches of a condition, and tables', () => {
    const source = `
      const a = t(n === 1 ? '1 thing' : 'Two\\nlines of \\'{0}\\'', 'an argument of it');
      const b = vscode.l10n.t(\n 'On a line of its own'\n);
      const c = { template: 'A sentence with {0}.', args: ['not words here'] };
      const d = set.get('never any words');`;
    const texts = ['1 thing', "Two\nlines of '{0}'", 'On a line of its own', 'A sentence with {0}.'];
    assert.deepEqual(stringsOf('src/features/a.ts', source), texts);
  });

  it('reads sentences from data files, and no code', () => {
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

/** Returns the texts for people in a file, such as sentences, parts of sentences, labels and the text of elements. */
function sentencesOf(file: string, source: string): readonly string[] {
  const tokens = tokensOf(file, source);
  const found: string[] = [];
  const calls: string[] = [];
  for (const [at, { type, value }] of tokens.entries()) {
    const before = tokens[at - 1]?.value ?? '';
    if (value === '(') {
      calls.push(before);
    } else if (value === ')') {
      calls.pop();
    }
    const isClass = before === '=' && tokens[at - 2]?.value === 'class';
    if (isClass || calls.some(call => forPrograms.test(call)) || /^(?:from|import)$/.test(before) || calls.at(-1) === 'import') {
      continue;
    }
    const text = type === 'JSXText' ? value.trim() : (textAt(tokens, at) ?? value.slice(1, -1));
    const isLabel =
      before === ':' && /^(?:label|title|placeHolder|placeholder|tooltip|prompt|detail|question)$/.test(tokens[at - 2]?.value ?? '');
    if (
      type === 'JSXText'
        ? /\p{L}{2}/u.test(text)
        : isText(type) && !codes.test(text) && (isLabel ? /^\p{Lu}.*\p{Ll}/u.test(text) : isShown(text))
    ) {
      found.push(type.startsWith('Template') ? value.replace(/^[`}]|`$|\$\{$/g, '') : text);
    }
  }
  return found;
}

function isText(type: string): boolean {
  return /^(?:StringLiteral|NoSubstitutionTemplate|TemplateHead|TemplateMiddle|TemplateTail|JSXString)$/.test(type);
}

function isShown(text: string): boolean {
  return /^\p{Lu}[\p{L}']* \p{L}+|^\p{Lu}\p{Ll}+ $|^[\p{L}']+ [\p{L}']+ [\p{L}']+|\p{Ll}{2}\.$/u.test(text) && !/^[\w.]+$/.test(text);
}
