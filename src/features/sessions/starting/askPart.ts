import * as vscode from 'vscode';
import type { Environment } from '../../../client/resources/environments';
import type { ServiceClient } from '../../../client/serviceClient';
import { askText } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';
import type { PresentationContext } from '../../../common/text/presentation';
import { askMemoryStores } from '../attaching/askMemoryStores';
import { askOverrides } from '../attaching/askOverrides';
import { askRepositories } from '../attaching/askRepository';
import { askVaults } from '../attaching/askVaults';
import { describeAmountProblem, toCents } from '../attaching/budgetAmount';
import { askFolder, pickFiles } from '../attaching/sessionFiles';
import { describeTitleProblem } from '../renameSession';
import { pickAgent, pickVersion } from './agentPicker';
import { chooseEnvironment } from './environmentChoice';
import type { Answers, AskedPart } from './startAnswers';

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
