import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import type { PresentationContext } from '../../../common/text/presentation';
import type { CommandId, Commands } from '../../../contributions';
import type { Submission } from '../../ledger';
import type { BatchOrGroup } from '../batchCommands';
import { describeAct } from '../batchPresentation';

/** The only commands that a link of a page can run. */
export const pageCommands = [
  'managedAgents.results.show',
  'managedAgents.batch.fetchResults',
  'managedAgents.canary.continue',
  'managedAgents.canary.showVerdict',
  'managedAgents.retry.plan',
  'managedAgents.group.resume',
  'managedAgents.batch.cancel',
  'managedAgents.batch.openSource',
  'managedAgents.batch.open',
  'managedAgents.copyId',
  'managedAgents.copyLink',
  'managedAgents.showJson',
  'managedAgents.submission.resolve',
] as const satisfies readonly CommandId[];

/** What a page says beside the facts, in Markdown: what can be done, which run of which file it is, and the runs around it. */
export interface PageSurroundings {
  readonly links: readonly string[];
  readonly run: string;
  readonly family: string;
  /** Cost of the results. Empty if it is unknown. */
  readonly cost: string;
}

export const noSurroundings: PageSurroundings = { links: [], run: '', family: '', cost: '' };

type PageCommand = (typeof pageCommands)[number];

/** A link in Markdown that runs a command. Nothing of others can become a part of its address. */
export function toPageLink<K extends PageCommand>(id: K, title: string, ...given: Commands[K]): string {
  const query = encodeURIComponent(JSON.stringify(given)).replace(/[()'!*~]/g, character => `%${character.charCodeAt(0).toString(16)}`);
  return `[${escapeMarkdown(title)}](command:${id}?${query})`;
}

/** What one can do with a batch or group, by its ability words; what there is to do as it stands is first. `runId` is of its run. */
export function toPageLinks(
  { abilities, target, runId, submission }: PageSubject,
  context: Pick<PresentationContext, 'translate' | 'locale' | 'now'>,
): readonly string[] {
  const { translate: t } = context;
  const has = (ability: string) => abilities.split(' ').includes(ability);
  const run = runId === undefined ? undefined : { runId };
  const rest = has('canary') && has('showable') ? describeAct('canary showable', submission, context) : '';
  const isUnfetched = !has('fetched');
  return [
    ...(has('hasResults') && isUnfetched ? [toPageLink('managedAgents.batch.fetchResults', t('Fetch results'), target)] : []),
    ...(rest !== '' && run ? [toPageLink('managedAgents.canary.continue', rest, run)] : []),
    ...(rest !== '' && run ? [toPageLink('managedAgents.canary.showVerdict', t('Show verdict'), run)] : []),
    ...(has('groupUnfinished') && run ? [toPageLink('managedAgents.group.resume', t('Send remaining parts'), run)] : []),
    ...(has('showable') ? [toPageLink('managedAgents.results.show', t('Show results table'), run ?? target)] : []),
    ...(has('retryable') && run ? [toPageLink('managedAgents.retry.plan', t('Plan retry'), run)] : []),
    ...(has('cancelable') ? [toPageLink('managedAgents.batch.cancel', t('Cancel...'), target)] : []),
    ...(has('hasSource') ? [toPageLink('managedAgents.submission.resolve', t('Find out what happened'), toBatch(target))] : []),
    toPageLink('managedAgents.copyId', t('Copy ID'), target),
    toPageLink('managedAgents.copyLink', t('Copy link'), target),
    toPageLink('managedAgents.showJson', t('Show as JSON'), target),
  ];
}

export interface PageSubject {
  readonly abilities: string;
  readonly target: BatchOrGroup;
  readonly runId: string | undefined;
  /** Of a single batch of ours. */
  readonly submission: Submission | undefined;
}

/** The batch alone, of a group its first. */
export function toBatch({ connection, batchId }: BatchOrGroup): BatchOrGroup {
  return { connection, batchId };
}
