import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { type Choice, separator } from '../../../common/asking/askSteps';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import type { ChosenAgent } from './agentPicker';
import type { ChosenEnvironment } from './environmentChoice';
import { describeFiles } from './sessionFiles';
import type { SessionFile } from './sessionStart';

/** What was answered so far; kept when starting fails or the user turns to something else. */
export interface Answers {
  readonly connection: string;
  agent: ChosenAgent;
  /** Undefined where the service has no environments. */
  environment: ChosenEnvironment | undefined;
  title: string;
  message: string;
  files: readonly SessionFile[];
  /** Where the user wants the files; empty for where the service puts them. */
  folder: string;
  readonly uploaded: Map<string, string>;
  /** Why the last attempt failed. */
  failure: { readonly error: unknown } | undefined;
}

/** What can be chosen before a session is started. */
export type Part = 'start' | 'failure' | 'agent' | 'version' | 'environment' | 'title' | 'message' | 'files' | 'folder';

/** What is asked before a session is started, with what was answered so far. */
export function choicesOf({ agent, environment, title, message, files, folder, failure }: Answers): readonly Choice<Part>[] {
  const empty = vscode.l10n.t('none');
  const shown = (text: string) => (text.trim() === '' ? empty : withoutIcons(toLabel(text.replace(/\s+/g, ' '), 100)));
  const version =
    agent.version !== undefined
      ? String(agent.version)
      : agent.latest === undefined
        ? vscode.l10n.t('latest')
        : vscode.l10n.t('latest, now {0}', agent.latest);
  return [
    {
      label: failure === undefined ? vscode.l10n.t('$(play) Start Session') : vscode.l10n.t('$(play) Try Again'),
      value: 'start',
    },
    ...(failure === undefined
      ? []
      : [{ label: vscode.l10n.t('$(error) Not Started'), detail: describeStartFailure(failure.error), value: 'failure' as const }]),
    separator(vscode.l10n.t('With')),
    { label: vscode.l10n.t('$(robot) Agent'), description: shown(agent.name), value: 'agent' },
    { label: vscode.l10n.t('$(versions) Version'), description: version, value: 'version' },
    ...(environment === undefined
      ? []
      : [{ label: vscode.l10n.t('$(vm) Environment'), description: shown(environment.name), value: 'environment' as const }]),
    { label: vscode.l10n.t('$(tag) Title'), description: shown(title), value: 'title' },
    { label: vscode.l10n.t('$(comment) First Message'), description: shown(message), value: 'message' },
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
  ];
}

function describeStartFailure(error: unknown): string {
  const words = toLabel(describeError(error), 400);
  return error instanceof ServiceError && error.outcome === 'unknown'
    ? vscode.l10n.t('It is not known whether the session was started. Look for it in the view before you start it again. {0}', words)
    : words;
}
