import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readStrings, textAt, tokensOf } from '../../l10n/readStrings.mjs';

/** Rooms that show texts. The others return sentences as data, which `npm run l10n` collects. */
const shown = /^src\/(?:features|common|webview|extension)/;

/** Functions whose arguments nobody translates: logs, errors for programmers, sets of words. */
const forPrograms = /^(?:error|warn|info|debug|log|has|get|startsWith|Set|Map|createServiceError|\w*Error)$/;

/** Start of the paths of files in `src/features` whose sentences are English on purpose. */
const inEnglish = [
  // Definitions that are sent to a service, for their author to change.
  ...[
    'agents/agentTemplates',
    'resources/deployments/deploymentDefinition',
    'resources/kinds/environments',
    'resources/kinds/memoryStores',
  ],
  // Text for an agent or a model.
  ...['assistant/', 'chatModels/toWireChat', 'sessions/composing/fileText', 'sessions/starting/transcriptAsContext'],
  'sessions/rules/ruleDecider',
  // The report for an issue.
  ...['diagnostics/copyDiagnostics', 'diagnostics/diagnosticsReport'],
  // Words that menus and code match.
  ...['agents/language/serviceNames', 'batches/batchPresentation', 'resources/kinds/memories', 'resources/kinds/skillVersions'],
  // Reasons that are stored or thrown below the interface, which quotes them.
  ...['batches/fetching/fetchDownload', 'batches/fetching/fetchResults', 'batches/fetching/fetchedBody'],
  ...['ledger/submissionFile', 'ledger/submissionSteps', 'ledger/reading/ledgerReader'],
].map(start => `src/features/${start.endsWith('/') ? start : `${start}.`}`);

/** Names of keys, and attributes and classes of elements. */
const codes = /^(?:Enter|Space|Page (?:Up|Down)|Control\+\w|[a-z]+[A-Z]\w*|\s)+$/;

describe('project/saidInEnglish', () => {
  it('puts every sentence that is shown through a translation', () => {
    const known = readStrings();
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map(name => `src/${name.replaceAll('\\', '/')}`)
      .filter(file => shown.test(file) && /\.tsx?$/.test(file) && !inEnglish.some(start => file.startsWith(start)));
    const found = files.flatMap(file => {
      const sentences = sentencesOf(file, readFileSync(file, 'utf8')).filter(text => !known.has(text));
      return sentences.map(text => `${file}: ${text}`);
    });
    assert.deepEqual(found, [], 'Wrap it in vscode.l10n.t, or in the translate that is handed in, then npm run l10n.');
  });

  it('sees labels, sentences, parts of sentences and text of elements, and neither logs nor errors', () => {
    const source = `const a = { label: 'Delete', detail: \`Deleted \${n} of them all.\` }; x.tooltip = 'This cannot be undone';
      log.error('A sentence for the log', why(n)); throw new Error('This is for a program.'); import('no words here');`;
    assert.deepEqual(sentencesOf('src/a.ts', source), ['Delete', 'Deleted ', ' of them all.', 'This cannot be undone']);
    assert.deepEqual(sentencesOf('src/a.tsx', '<p title="Close this row">Nothing here {n}</p>'), ['Close this row', 'Nothing here']);
  });
});

/** Returns the texts that people would read: sentences and parts of them, labels, text of elements. */
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
