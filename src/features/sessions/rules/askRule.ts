import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions } from '../../../common/asking/askSteps';
import { toLabel } from '../../../shared/text';
import type { ApprovalRule, FieldPattern } from './approvalRule';
import type { RuledAsk } from './decideByRules';
import { canBeFolder, isInFolder } from './folderPaths';
import { toolName } from './ruleTrial';
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
      patterns.set(field, await askPattern({ title, field, value, isDenying: given.scope === 'deny', canGoBack }));
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
  readonly title: string;
  readonly field: string;
  readonly value: unknown;
  readonly isDenying: boolean;
  readonly canGoBack: boolean;
}

async function askPattern(question: PatternQuestion): Promise<FieldPattern> {
  const { t } = vscode.l10n;
  const { title, value, isDenying, canGoBack } = question;
  const field = toLabel(question.field, 60);
  const text = typeof value === 'string' ? value : undefined;
  const words = text === undefined || isDenying ? undefined : beginningOf(text);
  const folder = text === undefined ? undefined : folderOf(text);
  const choices: Choice<FieldPattern['match']>[] = [
    { label: t('Exactly This'), detail: toLabel(JSON.stringify(value) ?? '', 200), value: 'equals' },
  ];
  if (words !== undefined) {
    choices.push({
      label: t('A Command That Begins with...'),
      detail: t('One simple command; one that chains, substitutes or redirects is left to you'),
      value: 'command',
    });
  }
  if (folder !== undefined) {
    choices.push({
      label: t('A Path in...'),
      detail: t('Without "..", and without links as far as this machine can see'),
      value: 'folder',
    });
  }
  if (isDenying && text !== undefined) {
    choices.push({ label: t('Contains...'), detail: t('A text that holds another one anywhere'), value: 'contains' });
  }
  choices.push({
    label: t('Whatever It Is'),
    detail: isDenying ? t('The rule does not look at it') : t('The rule allows any value of it'),
    value: 'anything',
  });
  const match = await askChoice({ title, placeholder: t('What must "{0}" be?', field), choices, canGoBack });
  switch (match) {
    case 'command':
      return { field: question.field, match, words: await askWords(title, text ?? '', words ?? '') };
    case 'folder':
      return { field: question.field, match, folder: await askFolder(title, text ?? '', folder ?? '') };
    case 'contains':
      return { field: question.field, match, text: await askContained(title, text ?? '') };
    case 'anything':
      return { field: question.field, match };
    case 'equals':
      return { field: question.field, match, value: value as Extract<FieldPattern, { match: 'equals' }>['value'] };
  }
}

function askWords(title: string, command: string, value: string): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    value,
    prompt: t('Whole words; any options may follow them. This call has: {0}', toLabel(command, 200)),
    validate: words =>
      !canBeginCommand(words)
        ? t('A rule begins with plain words, the first the name of a command that does not run others.')
        : beginsCommand(command, words)
          ? undefined
          : t('This call does not begin with these words.'),
  });
}

function askFolder(title: string, path: string, value: string): Promise<string> {
  const { t } = vscode.l10n;
  return askText({
    title,
    value,
    prompt: t('A folder as the agent names it. This call has: {0}', toLabel(path, 200)),
    validate: folder =>
      !canBeFolder(folder)
        ? t('A folder has a name, without "..", variables or signs that mean more than themselves.')
        : isInFolder(path, folder)
          ? undefined
          : t('The path of this call is not in this folder.'),
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
    pattern.match === 'command'
      ? [pattern.words]
      : pattern.match === 'folder'
        ? [pattern.folder]
        : pattern.match === 'contains'
          ? [pattern.text]
          : [],
  );
  const what = toLabel([ask.tool, first].filter(Boolean).join(' '), 60);
  return scope === 'deny' ? vscode.l10n.t('No {0}', what) : what;
}

/** The words that a command begins with, where a rule could be made of them: of `npm run build` the first two. */
function beginningOf(command: string): string | undefined {
  const words = command.split(' ').slice(0, 2).join(' ');
  return [words, words.split(' ')[0] ?? ''].find(beginning => beginsCommand(command, beginning));
}

/** The folder that a path lies in, where a rule could be made of it. */
function folderOf(path: string): string | undefined {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return canBeFolder(folder) && isInFolder(path, folder) ? folder : undefined;
}
