import * as vscode from 'vscode';
import type { Session } from '../../../client/schemas/sessions';
import { ServiceError } from '../../../client/transport/errors';
import { type Choice, separator } from '../../../common/asking/askSteps';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { type AttachedStore, describeStore, toStoreParams } from '../attaching/askMemoryStores';
import { describeOverrides, type Overrides } from '../attaching/askOverrides';
import { toBudget, toDollars } from '../attaching/budgetAmount';
import { nameOfRepository, type Repository, toRepositoryParams } from '../attaching/repositoryPresentation';
import type { Attached } from '../attaching/waysToAttach';
import type { ChosenAgent } from './agentPicker';
import type { ChosenEnvironment } from './environmentChoice';
import { describeFiles } from './sessionFiles';
import type { SessionFile, SessionStartParams } from './sessionStart';

/** Failure of the last attempt to start a session. */
export interface StartFailure {
  readonly error: unknown;
  /** True if the session may have been started nevertheless. */
  readonly isUnknown: boolean;
  /** Sessions of the agent that appeared since, the most likely first. */
  readonly appeared: readonly Session[];
}

/** Answers so far. Kept if the start fails or the user leaves it. */
export interface Answers {
  readonly connection: string;
  /** Service URL of the connection at the time of the answers. */
  readonly baseUrl: string;
  agent: ChosenAgent;
  /** `undefined` if the service has no environments. */
  environment: ChosenEnvironment | undefined;
  title: string;
  message: string;
  files: readonly SessionFile[];
  /** Target folder of the files. Empty if the service chooses it. */
  folder: string;
  readonly uploaded: Map<string, string>;
  /** Includes their tokens, which are stored nowhere else. */
  repositories: readonly Repository[];
  memoryStores: readonly AttachedStore[];
  vaults: readonly Attached[];
  /** In whole US cents. `undefined` for no budget. */
  budget: number | undefined;
  overrides: Overrides;
  failure: StartFailure | undefined;
  /** Sessions of an agent before the first attempt with an unknown outcome. `ids` is `undefined` if they could not be listed. */
  before?: { readonly agentId: string; readonly ids: ReadonlySet<string> | undefined };
}

/** Item that can be chosen before a session is started. */
export type Part = 'start' | 'failure' | 'look' | 'write' | AskedPart | { readonly open: Session };

/** Part with its own questions. */
export type AskedPart =
  | 'agent'
  | 'version'
  | 'overrides'
  | 'environment'
  | 'title'
  | 'message'
  | 'files'
  | 'folder'
  | 'repositories'
  | 'memoryStores'
  | 'vaults'
  | 'budget';

/** Groups that the service is known not to have. */
export interface AbsentGroups {
  readonly memoryStores: boolean;
  readonly vaults: boolean;
}

/** Returns whether the answers contain more than those of a new start. */
export function isWorthKeeping(answers: Answers): boolean {
  const { failure, title, message, files, repositories, memoryStores, vaults, budget, overrides } = answers;
  return (
    failure !== undefined ||
    title !== '' ||
    message !== '' ||
    budget !== undefined ||
    describeOverrides(overrides) !== '' ||
    [files, repositories, memoryStores, vaults].some(list => list.length > 0)
  );
}

/** Returns the parameters of a session start. `repositoryType` is the service's name for a repository. */
export function toStartParams(answers: Answers, repositoryType: string): SessionStartParams {
  const { agent, environment, title, files, folder, repositories, memoryStores, vaults, budget, overrides } = answers;
  const { model, system } = overrides;
  return {
    agentId: agent.id,
    agentVersion: agent.version,
    environmentId: environment?.id,
    title,
    files,
    folder,
    resources: [...repositories.map(one => toRepositoryParams(one, repositoryType)), ...memoryStores.map(toStoreParams)],
    vaultIds: vaults.map(({ id }) => id),
    budget: budget === undefined ? undefined : toBudget(budget),
    overrides: { ...(model !== undefined && { model }), ...(system !== undefined && { system }) },
  };
}

/** Returns the items to choose before a session is started, with the answers so far. */
export function choicesOf(answers: Answers, absent: AbsentGroups): readonly Choice<Part>[] {
  const { agent, environment, title, message, files, folder, overrides } = answers;
  const empty = vscode.l10n.t('none');
  const shown = (text: string) => (text.trim() === '' ? empty : withoutIcons(toLabel(text.replace(/\s+/g, ' '), 100)));
  const version =
    agent.version !== undefined
      ? String(agent.version)
      : agent.latest === undefined
        ? vscode.l10n.t('latest')
        : vscode.l10n.t('latest, now {0}', agent.latest);
  return [
    ...startChoices(answers),
    separator(vscode.l10n.t('Options')),
    { label: vscode.l10n.t('$(robot) Agent'), description: shown(agent.name), value: 'agent' },
    { label: vscode.l10n.t('$(versions) Version'), description: version, value: 'version' },
    {
      label: vscode.l10n.t('$(settings) Overrides'),
      description: describeOverrides(overrides) || empty,
      value: 'overrides',
    },
    ...(environment === undefined
      ? []
      : [{ label: vscode.l10n.t('$(vm) Environment'), description: shown(environment.name), value: 'environment' as const }]),
    { label: vscode.l10n.t('$(tag) Title'), description: shown(title), value: 'title' },
    { label: vscode.l10n.t('$(comment) First Message'), description: shown(message), value: message.includes('\n') ? 'write' : 'message' },
    {
      label: vscode.l10n.t('$(notebook) Write in an Editor'),
      description: vscode.l10n.t('a message of several lines, or one of your prompts'),
      value: 'write',
    },
    { label: vscode.l10n.t('$(file-add) Files'), description: files.length === 0 ? empty : describeFiles(files), value: 'files' },
    ...(files.length === 0
      ? []
      : [
          {
            label: vscode.l10n.t('$(folder) Place of the Files'),
            description: folder === '' ? vscode.l10n.t('where the service puts them') : shown(folder),
            value: 'folder' as const,
          },
        ]),
    ...attachedChoices(answers, absent),
  ];
}

/** Returns the choices to start. After an unknown outcome, sessions that appeared since come first, so that Enter starts no second one. */
function startChoices(answers: Answers): readonly Choice<Part>[] {
  const { t } = vscode.l10n;
  const { failure } = answers;
  if (failure === undefined) {
    return [{ label: t('$(play) Start Session'), value: 'start' }];
  }
  const detail = describeStartFailure(failure, answers);
  if (!failure.isUnknown) {
    return [
      { label: t('$(play) Try Again'), value: 'start' },
      { label: t('$(error) Not Started'), detail, value: 'failure' },
    ];
  }
  return [
    ...failure.appeared.map(session => ({
      label: t('$(comment-discussion) Open {0}', withoutIcons(toLabel(session.title?.trim() || session.id, 60))),
      detail: t('This session of the agent appeared since you started it.'),
      value: { open: session },
    })),
    { label: t('$(search) Look Again'), detail: t('Looks for a session that appeared since.'), value: 'look' },
    { label: t('$(error) Not Known'), detail, value: 'failure' },
    { label: t('$(play) Try Again'), detail: t('This can start a second session: the first may have been started.'), value: 'start' },
  ];
}

function attachedChoices({ repositories, memoryStores, vaults, budget }: Answers, absent: AbsentGroups): readonly Choice<AskedPart>[] {
  const named = (names: readonly string[]) =>
    names.length === 0 ? vscode.l10n.t('none') : withoutIcons(toLabel(names.map(name => toLabel(name, 40)).join(', '), 100));
  const choices: readonly (Choice<AskedPart> & { readonly value: AskedPart })[] = [
    {
      label: vscode.l10n.t('$(repo) Repositories'),
      description: named(repositories.map(({ url }) => nameOfRepository(url))),
      value: 'repositories',
    },
    { label: vscode.l10n.t('$(database) Memory Stores'), description: named(memoryStores.map(describeStore)), value: 'memoryStores' },
    { label: vscode.l10n.t('$(lock) Vaults'), description: named(vaults.map(({ name }) => name)), value: 'vaults' },
    {
      label: vscode.l10n.t('$(credit-card) Budget'),
      description: budget === undefined ? vscode.l10n.t('none') : toDollars(budget, vscode.env.language),
      value: 'budget',
    },
  ];
  return choices.filter(({ value }) => !(value in absent && absent[value as keyof AbsentGroups]));
}

function describeStartFailure({ error, isUnknown }: StartFailure, { overrides }: Answers): string {
  const words = toLabel(describeError(error), 400);
  if (error instanceof ServiceError && error.status === 400 && describeOverrides(overrides) !== '') {
    return vscode.l10n.t('{0} This service may not support overrides. Select Overrides to remove them.', words);
  }
  return isUnknown ? vscode.l10n.t('It is not known whether the session was started. {0}', words) : words;
}
