import * as vscode from 'vscode';
import type { Environment } from '../../../client/resources/environments';
import type { Session, SessionParams } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { askText, type Choice } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';
import type { LocalFile } from '../../../common/files/localFile';
import { describeError } from '../../../common/text/describeError';
import type { PresentationContext } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { defined } from '../../../shared/defined';
import type { StartChip, StartPart } from '../../../shared/session/startProtocol';
import { toLabel } from '../../../shared/text';
import { type Attached, type AttachedStore, askMemoryStores, askVaults, describeStore, toStoreParams } from '../attaching/askAttached';
import { askOverrides, describeOverrides, noOverrides, type Overrides } from '../attaching/askOverrides';
import { askRepositories, nameOfRepository, type Repository, toRepositoryParams } from '../attaching/askRepository';
import { describeAmountProblem, toBudget, toCents, toDollars } from '../attaching/budgetAmount';
import { askFolder, describeFiles, pickFiles } from '../attaching/sessionFiles';
import { describeTitleProblem } from '../changeSession';
import { type ChosenAgent, pickAgent, pickVersion } from './agentPicker';
import { type ChosenEnvironment, chooseEnvironment } from './environmentChoice';

/** Failure of the last attempt to start a session. */
interface StartFailure {
  readonly error: unknown;
  /** True if the session may have been started nevertheless. */
  readonly isUnknown: boolean;
  /** Sessions of the agent that appeared after the attempt, the most likely first. */
  readonly appeared: readonly Session[];
}

/** The user's choices for a session to start. */
export interface Answers {
  agent: ChosenAgent | undefined;
  /** Versions of the agent to run side by side, one session each. */
  readonly versions?: readonly [number, number];
  environment: ChosenEnvironment | undefined;
  hasEnvironments: boolean;
  title: string;
  files: readonly LocalFile[];
  /** Target folder of the files. Empty if the service chooses it. */
  folder: string;
  readonly uploaded: Map<string, string>;
  /** Repositories with their tokens, which are stored nowhere else. */
  repositories: readonly Repository[];
  memoryStores: readonly AttachedStore[];
  vaults: readonly Attached[];
  /** Budget in whole US cents. `undefined` for no budget. */
  budget: number | undefined;
  overrides: Overrides;
  failure: StartFailure | undefined;
  /** Sessions of an agent before the first attempt with an unknown outcome. `ids` is `undefined` if they could not be listed. */
  before?: { readonly agentId: string; readonly ids: ReadonlySet<string> | undefined } | undefined;
  readonly started: Session[];
}

/** Part of a start that has its own questions. */
export type AskedPart = Exclude<StartPart, 'more' | 'another'>;

/** Returns the answers of a new start. `given` replaces the defaults. */
export function toAnswers(given: Partial<Answers>): Answers {
  return {
    ...{ agent: undefined, environment: undefined, hasEnvironments: true, title: '', files: [], folder: '', uploaded: new Map() },
    ...{ repositories: [], memoryStores: [], vaults: [], budget: undefined, overrides: noOverrides, failure: undefined, started: [] },
    ...given,
  };
}

/** Returns the parameters of the session of one version, without its files. `repositoryType` is the service's name for a repository. */
export function toStartParams(
  answers: Answers & { readonly agent: ChosenAgent },
  version: number | undefined,
  message: string,
  repositoryType: string,
): SessionParams {
  const { agent, environment, title, repositories, memoryStores, vaults, budget, overrides, versions } = answers;
  const words = versions === undefined ? title.trim() : `${toLabel(title || message, 60)} · v${version}`;
  const resources = [...repositories.map(one => toRepositoryParams(one, repositoryType)), ...memoryStores.map(toStoreParams)];
  return {
    agent: toAgentParams(agent.id, version, overrides),
    ...defined({ environment_id: environment?.id, title: words || undefined, budget: budget === undefined ? undefined : toBudget(budget) }),
    ...(resources.length > 0 && { resources }),
    ...(vaults.length > 0 && { vault_ids: vaults.map(({ id }) => id) }),
  };
}

/** Returns the agent of a session in the service's format. Without a version, the service uses the latest version. */
export function toAgentParams(id: string, version: number | undefined, { model, system }: Overrides): SessionParams['agent'] {
  const chosen = { id, ...(version === undefined ? {} : { version }) };
  if (model !== undefined || system !== undefined) {
    return { type: 'agent_with_overrides', ...chosen, ...(model !== undefined && { model }), ...(system !== undefined && { system }) };
  }
  return version === undefined ? id : { type: 'agent', ...chosen };
}

/** Returns the parts with their values as chips. Rarely needed parts are only included if something was chosen. */
export function toChips(answers: Answers): readonly StartChip[] {
  const { t } = vscode.l10n;
  const { agent, versions, environment, hasEnvironments, title, files, budget } = answers;
  const version = agent?.version ?? agent?.latest;
  const chosen = [toLabel(agent?.name ?? '', 60), version === undefined ? '' : `v${version}`].join(' ').trim();
  return [
    ...(versions === undefined ? [{ part: 'agent' as const, label: t('Agent'), value: chosen }] : []),
    ...(hasEnvironments ? [{ part: 'environment' as const, label: t('Environment'), value: toLabel(environment?.name ?? '', 60) }] : []),
    { part: 'files', label: t('Files'), value: files.length === 0 ? '' : describeFiles(files) },
    { part: 'budget', label: t('Budget'), value: budget === undefined ? '' : toDollars(budget, vscode.env.language) },
    { part: 'title', label: t('Title'), value: toLabel(title, 60) },
    ...rareChips(answers).filter(({ value }) => value !== ''),
    { part: 'more', label: t('More'), value: '' },
  ];
}

/** Returns the rarely needed parts as choices. */
export function rareChoices(answers: Answers): readonly Choice<AskedPart>[] {
  const { t } = vscode.l10n;
  const { agent, versions, files, folder } = answers;
  const version = agent?.version === undefined ? t('latest') : String(agent.version);
  const parts = [
    ...(agent === undefined || versions !== undefined ? [] : [{ part: 'version', label: t('Version'), value: version } as const]),
    ...(files.length === 0 ? [] : [{ part: 'folder', label: t('Folder for Files'), value: folder } as const]),
    ...rareChips(answers).filter(({ part }) => part !== 'folder'),
  ];
  return parts.map(({ part, label, value }) => ({ label, description: withoutIcons(value || t('none')), value: part }));
}

function rareChips(answers: Answers): readonly (StartChip & { readonly part: AskedPart })[] {
  const { t } = vscode.l10n;
  const { folder, overrides, repositories, memoryStores, vaults } = answers;
  const named = (names: readonly string[]) => toLabel(names.map(name => toLabel(name, 40)).join(', '), 100);
  return [
    { part: 'folder', label: t('Folder for Files'), value: toLabel(folder, 60) },
    { part: 'overrides', label: t('Overrides'), value: describeOverrides(overrides) },
    { part: 'repositories', label: t('Repositories'), value: named(repositories.map(({ url }) => nameOfRepository(url))) },
    { part: 'memoryStores', label: t('Memory Stores'), value: named(memoryStores.map(describeStore)) },
    { part: 'vaults', label: t('Vaults'), value: named(vaults.map(({ name }) => name)) },
  ];
}

/** Describes a failed start, and whether the session may exist nevertheless. */
export function describeStartFailure({ error, isUnknown }: StartFailure, { overrides }: Answers): string {
  const words = toLabel(describeError(error), 400);
  if (error instanceof ServiceError && error.status === 400 && describeOverrides(overrides) !== '') {
    return vscode.l10n.t('{0} This service may not support overrides. Select Overrides to remove them.', words);
  }
  return isUnknown ? vscode.l10n.t('The session may have been started. {0}', words) : words;
}

interface PartSurroundings {
  readonly client: ServiceClient;
  readonly signal: AbortSignal;
  readonly environments: readonly Environment[];
  readonly title: string;
  readonly context: PresentationContext;
}

/** Asks for one part of a session start. If the user cancels, the answers stay unchanged. */
export async function askPart(part: AskedPart, answers: Answers, surroundings: PartSurroundings): Promise<void> {
  await unlessCancelled(undefined, async () => {
    await askers[part](answers, surroundings);
    if (answers.failure?.isUnknown !== true) {
      answers.failure = undefined;
    }
  });
}

const askers: Readonly<Record<AskedPart, (answers: Answers, surroundings: PartSurroundings) => Promise<void>>> = {
  agent: async (answers, { client, title, context }) => {
    answers.agent = await pickAgent(client, { title, placeholder: vscode.l10n.t('Select an agent') }, context);
  },
  version: async (answers, { client, title, context }) => {
    if (answers.agent !== undefined) {
      answers.agent = await pickVersion(client, answers.agent, title, context);
    }
  },
  overrides: async (answers, { client, title }) => {
    answers.overrides = await askOverrides(title, client, answers.overrides);
  },
  environment: async (answers, { client, environments, title }) => {
    answers.environment = await chooseEnvironment(client, environments, title, answers.environment?.id);
  },
  title: async (answers, { title }) => {
    answers.title = await askText({
      title,
      prompt: vscode.l10n.t('Title of the session; may be empty'),
      value: answers.title,
      validate: describeTitleProblem,
    });
  },
  files: async (answers, { title }) => {
    answers.files = await pickFiles(title, answers.files);
  },
  folder: async (answers, { title }) => {
    answers.folder = await askFolder(title, answers.folder);
  },
  repositories: async (answers, { title }) => {
    answers.repositories = await askRepositories(title, answers.repositories);
  },
  memoryStores: async (answers, { client, signal, title }) => {
    answers.memoryStores = await askMemoryStores(title, client.memoryStores, signal, answers.memoryStores);
  },
  vaults: async (answers, { client, signal, title }) => {
    answers.vaults = await askVaults(title, client.vaults, signal, answers.vaults);
  },
  budget: async (answers, { title }) => {
    const text = await askText({
      title,
      prompt: vscode.l10n.t("Maximum cost in US dollars, by list prices. It can't be added later. Leave empty for no limit."),
      placeholder: '2.50',
      value: answers.budget === undefined ? '' : (answers.budget / 100).toFixed(2),
      validate: value => (value.trim() === '' ? undefined : describeAmountProblem(value, 0, vscode.env.language, vscode.l10n.t)),
    });
    answers.budget = toCents(text);
  },
};
