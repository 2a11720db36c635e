import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions } from '../../../common/asking/askSteps';
import { toLabel } from '../../../shared/text';
import type { ApprovalRule, FieldPattern } from './approvalRule';
import type { RuledAsk } from './decideByRules';
import { canBeFolder, isInFolder, isOrdinaryFile } from './folderPaths';
import { offeredPatterns } from './offeredPatterns';
import { describePattern, toolName } from './ruleTrial';
import { beginsCommand, canBeginCommand } from './simpleCommand';

type Scope = 'allow' | 'allowSession' | 'deny';

/** Asks for all that a rule is made of, from an ask that it is to decide. The rule is off. Rejects with `CancelledError` on Escape. */
export async function askRule(ask: RuledAsk): Promise<ApprovalRule> {
  const title = vscode.l10n.t('Make a Rule of {0}', toLabel(toolName(ask), 60));
  const patterns = new Map<string, FieldPattern>();
  const input = Object.entries(ask.input as Readonly<Record<string, unknown>>);
  const given: { scope: Scope; agent: string | undefined; name: string } = { scope: 'allow', agent: ask.agent, name: '' };
  const steps = () => [
    async (canGoBack: boolean) => {
      given.scope = await askScope(title, given.scope, canGoBack);
    },
    ...input.map(([field, value]) => async (canGoBack: boolean) => {
      patterns.set(field, await askPattern({ ask, title, field, value, isDenying: given.scope === 'deny', canGoBack }));
    }),
    async (canGoBack: boolean) => {
      given.agent = ask.agent === undefined ? undefined : await askAgent(title, ask.agent, canGoBack);
    },
    async (canGoBack: boolean) => {
      given.name = await askName(title, suggestName(ask, given.scope, [...patterns.values()]), canGoBack);
    },
  ];
  await runQuestions(steps);
  return {
    version: 1,
    id: randomUUID(),
    name: given.name.trim(),
    isOn: false,
    result: given.scope === 'deny' ? 'deny' : 'allow',
    connection: ask.connection,
    service: ask.service,
    ...(given.scope === 'allowSession' && { session: ask.session }),
    ...(given.agent !== undefined && { agent: given.agent }),
    tool: ask.tool,
    ...(ask.server !== undefined && { server: ask.server }),
    fields: input.flatMap(([field]) => patterns.get(field) ?? []),
    createdAt: new Date().toISOString(),
  };
}

function askScope(title: string, active: Scope, canGoBack: boolean): Promise<Scope> {
  const { t } = vscode.l10n;
  return askChoice<Scope>({
    title,
    placeholder: t('What does the rule do? It stays off until you have tried it.'),
    active,
    canGoBack,
    choices: [
      { label: t('Allow in This Session'), detail: t('Calls like this one, in this session only'), value: 'allowSession' },
      { label: t('Allow Always'), detail: t('Calls like this one, in every session of this connection'), value: 'allow' },
      { label: t('Deny Always'), detail: t('Wins over every rule that allows'), value: 'deny' },
    ],
  });
}

interface PatternQuestion {
  readonly ask: RuledAsk;
  readonly title: string;
  readonly field: string;
  readonly value: unknown;
  readonly isDenying: boolean;
  readonly canGoBack: boolean;
}

async function askPattern(question: PatternQuestion): Promise<FieldPattern> {
  const { t } = vscode.l10n;
  const { ask, title, field, value, isDenying, canGoBack } = question;
  const pattern = await askChoice({
    title,
    placeholder: t('What must "{0}" be?', toLabel(field, 60)),
    choices: offeredPatterns(ask, field, value, isDenying).map(offered => toChoice(offered, isDenying)),
    canGoBack,
  });
  const text = String(value);
  switch (pattern.match) {
    case 'anyArguments':
      return { ...pattern, words: await askWords(title, text, pattern.words) };
    case 'folder':
      return { ...pattern, folder: await askFolder({ title, path: text, value: pattern.folder, isDenying }) };
    case 'contains':
      return { ...pattern, text: await askContained(title, text) };
    default:
      return pattern;
  }
}

function toChoice(pattern: FieldPattern, isDenying: boolean): Choice<FieldPattern> {
  const { t } = vscode.l10n;
  switch (pattern.match) {
    case 'equals':
      return { label: t('Exactly This'), detail: toLabel(JSON.stringify(pattern.value) ?? ''), value: pattern };
    case 'command':
      return { label: t('Any {0} That Only Reads', pattern.words), detail: describePattern(pattern, isDenying, t), value: pattern };
    case 'folder':
      return {
        label: t('A File in...'),
        detail: isDenying
          ? t('Any path in a folder, without ".."')
          : t('Without dot files, executables, "..", and links as far as this machine can see'),
        value: pattern,
      };
    case 'anyArguments':
      return {
        label: t('A Command with Any Arguments...'),
        detail: t('Including arguments that run other programs or write files'),
        value: pattern,
      };
    case 'contains':
      return { label: t('Contains...'), detail: t('A text that holds another one anywhere'), value: pattern };
    case 'anything':
      return {
        label: t('Whatever It Is'),
        detail: isDenying ? t('The rule does not look at it') : t('Any value, including commands that run other programs'),
        value: pattern,
      };
  }
}

function askWords(title: string, command: string, value: string): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    value,
    prompt: t('Any arguments may follow these words, including ones that run other programs. This call has: {0}', toLabel(command)),
    validate: words =>
      !canBeginCommand(words)
        ? t('Enter plain words without quotes. The first one is a program.')
        : beginsCommand(command, words)
          ? undefined
          : t('This call does not begin with these words.'),
  });
}

interface FolderQuestion {
  readonly title: string;
  readonly path: string;
  readonly value: string;
  readonly isDenying: boolean;
}

function askFolder({ title, path, value, isDenying }: FolderQuestion): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    value,
    prompt: t('A folder as the agent names it. This call has: {0}', toLabel(path)),
    validate: folder =>
      !canBeFolder(folder)
        ? t('A folder has a name, without "..", variables or signs that mean more than themselves.')
        : !isInFolder(path, folder)
          ? t('The path of this call is not in this folder.')
          : isDenying || isOrdinaryFile(path, folder)
            ? undefined
            : t(
                'A rule on this folder leaves out dot folders, executables and files without an extension. Name the dot folder, or choose "Exactly This".',
              ),
  });
}

function askContained(title: string, text: string): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    prompt: t('Upper and lower case count. This call has: {0}', toLabel(text, 200)),
    validate: contained =>
      contained === '' || contained.length > 4096 || !text.includes(contained) ? t('Type a part of what this call has.') : undefined,
  });
}

function askAgent(title: string, agent: string, canGoBack: boolean): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return askChoice<{ readonly id: string | undefined }>({
    title,
    placeholder: t('For which agent?'),
    canGoBack,
    choices: [
      { label: t('This Agent'), detail: t('{0}, in every version', toLabel(agent, 80)), value: { id: agent } },
      { label: t('Any Agent of the Connection'), value: { id: undefined } },
    ],
  }).then(({ id }) => id);
}

function askName(title: string, value: string, canGoBack: boolean): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    value,
    canGoBack,
    prompt: t('Name of the rule, as the timeline and the audit file tell it. An agent that is denied reads it.'),
    validate: name =>
      name.trim() === '' || name.length > 100 || toLabel(name) !== name ? t('A name has 1 to 100 characters that can be seen.') : undefined,
  });
}

function suggestName(ask: RuledAsk, scope: Scope, patterns: readonly FieldPattern[]): string {
  const [first] = patterns.flatMap(pattern =>
    'words' in pattern ? [pattern.words] : 'folder' in pattern ? [pattern.folder] : 'text' in pattern ? [pattern.text] : [],
  );
  const what = toLabel([ask.tool, first].filter(Boolean).join(' '), 60);
  return scope === 'deny' ? vscode.l10n.t('No {0}', what) : what;
}
