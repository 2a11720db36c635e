import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readStrings, textAt, tokensOf } from '../../l10n/readStrings.mjs';

/** Rooms that show things. The others hand sentences out as data, which the bundle takes from them whole. */
const shown = /^src\/(?:features|common|webview|extension)/;

/** What is called with words that nobody translates: logs, errors of programs and of what is written down, sets of words. */
const forPrograms = /^(?:error|warn|info|debug|log|has|get|startsWith|Set|Map|createServiceError|\w*Error)$/;

/** Files, and rooms with a slash behind them, whose sentences are meant in English, by why. */
const inEnglish: Readonly<Record<string, readonly string[]>> = {
  'definitions that are sent to a service, for their author to change': [
    'agents/agentTemplates',
    'resources/deployments/deploymentDefinition',
    'resources/kinds/environments',
    'resources/kinds/memoryStores',
  ],
  'words for an agent or a model to read': [
    'assistant/',
    'chatModels/toWireChat',
    'sessions/composing/fileText',
    'sessions/starting/transcriptAsContext',
    'sessions/rules/ruleDecider',
  ],
  'a report for an issue, which others read': ['diagnostics/copyDiagnostics', 'diagnostics/diagnosticsReport'],
  'words that menus and code match': [
    'agents/language/serviceNames',
    'batches/batchPresentation',
    'resources/kinds/memories',
    'resources/kinds/skillVersions',
  ],
  'reasons that are written down or thrown below the interface, and quoted by it as they are': [
    'batches/fetching/fetchDownload',
    'batches/fetching/fetchResults',
    'batches/fetching/fetchedBody',
    'ledger/submissionFile',
    'ledger/submissionSteps',
    'ledger/reading/ledgerReader',
  ],
};

/** Names of keys, and attributes and classes of elements. */
const codes = /^(?:Enter|Space|Page (?:Up|Down)|Control\+\w|[a-z]+[A-Z]\w*|\s)+$/;

describe('project/saidInEnglish', () => {
  const known = readStrings();
  const excused = Object.values(inEnglish).flat();
  const used = new Set<string>();

  it('puts every sentence that is shown through a translation', () => {
    const found: string[] = [];
    for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort()) {
      const file = `src/${name.replaceAll('\\', '/')}`;
      if (!shown.test(file) || !/\.tsx?$/.test(file)) {
        continue;
      }
      const sentences = sentencesOf(file, readFileSync(file, 'utf8')).filter(text => !known.has(text));
      const excuse = excused.find(one => (one.endsWith('/') ? file.startsWith(`src/features/${one}`) : file === `src/features/${one}.ts`));
      if (excuse !== undefined && sentences.length > 0) {
        used.add(excuse);
      } else {
        found.push(...sentences.map(text => `${file}: ${text}`));
      }
    }
    assert.deepEqual(found, [], 'Wrap it in vscode.l10n.t, or in the translate that is handed in, then npm run l10n.');
  });

  it('excuses no file that needs no excuse', () => {
    assert.deepEqual(
      excused.filter(one => !used.has(one)),
      [],
    );
  });

  it('sees labels, sentences, parts of sentences and text of elements, and neither logs nor errors', () => {
    const source = `const a = { label: 'Delete', detail: \`Deleted \${n} of them all.\` }; x.tooltip = 'This cannot be undone';
      log.error('A sentence for the log', why(n)); throw new Error('This is for a program.'); import('no words here');`;
    assert.deepEqual(sentencesOf('src/a.ts', source), ['Delete', 'Deleted ', ' of them all.', 'This cannot be undone']);
    assert.deepEqual(sentencesOf('src/a.tsx', '<p title="Close this row">Nothing here {n}</p>'), ['Close this row', 'Nothing here']);
  });
});

/** Texts that people would read: sentences and parts of them, labels and the like, text of elements. */
function sentencesOf(file: string, source: string): readonly string[] {
  const tokens = tokensOf(file, source);
  const found: string[] = [];
  const calls: string[] = [];
  for (const [at, { type, value }] of tokens.entries()) {
    if (value === '(') {
      calls.push(tokens[at - 1]?.value ?? '');
    } else if (value === ')') {
      calls.pop();
    }
    const before = tokens[at - 1]?.value ?? '';
    if (calls.some(call => forPrograms.test(call)) || /^(?:from|import)$/.test(before) || calls.at(-1) === 'import') {
      continue;
    }
    const text = type === 'JSXText' ? value.trim() : (textAt(tokens, at) ?? value.slice(1, -1));
    const isLabel =
      before === ':' && /^(?:label|title|placeHolder|placeholder|tooltip|prompt|detail|question)$/.test(tokens[at - 2]?.value ?? '');
    if (
      type === 'JSXText'
        ? /\p{L}{2}/u.test(text)
        : isText(type) && !codes.test(text) && (isLabel ? /^\p{Lu}.*\p{Ll}/u.test(text) : isSentence(text))
    ) {
      found.push(type.startsWith('Template') ? value.replace(/^[`}]|`$|\$\{$/g, '') : text);
    }
  }
  return found;
}

function isText(type: string): boolean {
  return /^(?:StringLiteral|NoSubstitutionTemplate|TemplateHead|TemplateMiddle|TemplateTail|JSXString)$/.test(type);
}

function isSentence(text: string): boolean {
  return /^\p{Lu}[\p{L}']* \p{L}+|^\p{Lu}\p{Ll}+ $|^[\p{L}']+ [\p{L}']+ [\p{L}']+|\p{Ll}{2}\.$/u.test(text) && !/^[\w.]+$/.test(text);
}
