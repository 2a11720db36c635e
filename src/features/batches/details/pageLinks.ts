import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import type { PresentationContext } from '../../../common/text/presentation';
import type { BatchRowWord, CommandId, Commands } from '../../../contributions';
import type { Run } from '../../ledger';
import type { BatchOrRun } from '../runRow';

/** Commands that the links of a page can run. All others are blocked. */
export const pageCommands = [
  'managedAgents.results.show',
  'managedAgents.batch.fetchResults',
  'managedAgents.batch.create',
  'managedAgents.retry.plan',
  'managedAgents.group.resume',
  'managedAgents.batch.cancel',
  'managedAgents.batch.openSource',
  'managedAgents.batch.openResults',
  'managedAgents.batch.open',
  'managedAgents.copyId',
  'managedAgents.copyLink',
  'managedAgents.showJson',
  'managedAgents.submission.resolve',
  'managedAgents.spend.export',
] as const satisfies readonly CommandId[];

type PageCommand = (typeof pageCommands)[number];

/** Returns a Markdown link that runs a command. The arguments are encoded, so that text from a service can't change the target. */
export function toPageLink<K extends PageCommand>(id: K, title: string, ...given: Commands[K]): string {
  const query = encodeURIComponent(JSON.stringify(given)).replace(/[()'!*~]/g, character => `%${character.charCodeAt(0).toString(16)}`);
  return `[${escapeMarkdown(title)}](command:${id}?${query})`;
}

/** Returns the links for a batch or run, starting with the next action. */
export function toPageLinks(
  { words, next, target, run }: PageSubject,
  { translate: t }: Pick<PresentationContext, 'translate'>,
): readonly string[] {
  const { connection, batchId } = target;
  const has = (word: BatchRowWord) => words.includes(word);
  const id = run && { runId: run.id };
  return [
    ...(has('hasResults') && !has('fetched') ? [toPageLink('managedAgents.batch.fetchResults', t('Fetch Results'), target)] : []),
    ...(has('trial') && run ? [toPageLink('managedAgents.batch.create', next, { connection, batchId, source: run.source })] : []),
    ...(has('unfinished') && id ? [toPageLink('managedAgents.group.resume', t('Send Remaining Parts'), id)] : []),
    ...(has('showable') ? [toPageLink('managedAgents.results.show', t('Show Results'), id ?? target)] : []),
    ...(has('showable') ? [toPageLink('managedAgents.batch.openResults', t('Open Results File'), { connection, batchId })] : []),
    ...(has('retryable') && id ? [toPageLink('managedAgents.retry.plan', t('Send again'), id)] : []),
    ...(has('cancelable') ? [toPageLink('managedAgents.batch.cancel', t('Cancel...'), target)] : []),
    ...(has('hasSource') ? [toPageLink('managedAgents.submission.resolve', t('Show Submission Log'), { connection, batchId })] : []),
    toPageLink('managedAgents.copyId', t('Copy ID'), target),
    toPageLink('managedAgents.copyLink', t('Copy Link'), target),
    toPageLink('managedAgents.showJson', t('Show as JSON'), target),
  ];
}

export interface PageSubject {
  readonly words: readonly BatchRowWord[];
  /** Title of the link to the next action. */
  readonly next: string;
  readonly target: BatchOrRun;
  readonly run: Pick<Run, 'id' | 'source'> | undefined;
}
