import type { CommandId } from '../../../contributions';

/** Commands on a whole request file, each taking its URI or finding it in front. */
type FileCommand = Extract<
  CommandId,
  | `managedAgents.file.${string}`
  | 'managedAgents.batch.create'
  | `managedAgents.results.${string}`
  | 'managedAgents.requests.showTable'
  | 'managedAgents.runs.show'
  | 'managedAgents.retry.plan'
  | 'managedAgents.answer.nextFailed'
  | 'managedAgents.answers.toggle'
  | 'managedAgents.expectations.create'
  | 'managedAgents.request.goTo'
  | 'managedAgents.request.chooseModel'
  | 'managedAgents.connection.switch'
>;

/** What a file has, by which it is told what can be done with it. */
export interface FileStanding {
  readonly hasRuns: boolean;
  readonly hasResults: boolean;
  /** Requests without a good answer. */
  readonly needReview: number;
  /** Problems that have one safe fix, or more. */
  readonly problems: number;
}

/** What belongs together in the list, in its order. */
export type FileActionSection = 'results' | 'send' | 'file' | 'view';

/** An act on a whole request file. */
export interface FileAction {
  readonly command: FileCommand;
  readonly icon: string;
  readonly section: FileActionSection;
}

const always = () => true;

const table: readonly (readonly [FileActionSection, FileCommand, icon: string, isOffered: (standing: FileStanding) => boolean])[] = [
  ['results', 'managedAgents.results.show', 'table', ({ hasResults }) => hasResults],
  ['results', 'managedAgents.answer.nextFailed', 'arrow-down', ({ needReview }) => needReview > 0],
  ['results', 'managedAgents.retry.plan', 'redo', ({ needReview }) => needReview > 0],
  ['results', 'managedAgents.runs.show', 'history', ({ hasRuns }) => hasRuns],
  ['results', 'managedAgents.results.compare', 'diff', ({ hasResults }) => hasResults],
  ['results', 'managedAgents.results.export', 'export', ({ hasResults }) => hasResults],
  ['send', 'managedAgents.batch.create', 'cloud-upload', always],
  ['send', 'managedAgents.connection.switch', 'plug', always],
  ['file', 'managedAgents.file.fix', 'wand', ({ problems }) => problems > 0],
  ['file', 'managedAgents.requests.showTable', 'table', always],
  ['file', 'managedAgents.file.check', 'checklist', always],
  ['file', 'managedAgents.expectations.create', 'beaker', always],
  ['file', 'managedAgents.file.makeIds', 'symbol-key', always],
  ['file', 'managedAgents.file.removeDuplicates', 'files', always],
  ['file', 'managedAgents.file.sample', 'filter', always],
  ['file', 'managedAgents.file.shuffle', 'arrow-swap', always],
  ['file', 'managedAgents.file.split', 'split-horizontal', always],
  ['view', 'managedAgents.request.goTo', 'search', always],
  ['view', 'managedAgents.answers.toggle', 'eye', ({ hasResults }) => hasResults],
];

/** What can be done with a file as it stands, by sections, the likeliest first. */
export function fileActions(standing: FileStanding): readonly FileAction[] {
  return table.flatMap(([section, command, icon, isOffered]) => (isOffered(standing) ? [{ section, command, icon }] : []));
}
