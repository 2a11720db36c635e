import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { canWriteTo, chooseFreePath, findFreePath, writableFolderOf } from '../../../common/asking/newFile';
import type { Log } from '../../../common/log';
import { toFileStem } from '../../../common/text/fileStem';
import { type ReplaceableTarget, renameToFree, stampOfFile } from '../../../jsonl/files/publishing';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import type { JobOptions } from '../../../jsonl/jobs/jobs';
import type { MergeSource, SentRequestFile } from '../../../jsonl/merging/mergedAnswers';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import {
  applyRenames,
  finalResultsOf,
  generationsOf,
  hashSubmitted,
  isDerivedRetry,
  pathsOf,
  type Run,
  type RunResults,
  resultsOf,
  runOf,
  type Submission,
  sentPathOf,
  submissionFiles,
  toRuns,
  withFolderLock,
} from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { baseName } from '../sourceNames';

/** Content of a file that the extension writes next to a request file. */
type SiblingKind = 'results' | 'retry' | 'cached' | 'primer';

/** Maximum length in UTF-8 bytes. File systems allow 255 bytes, including the extension, a number and the suffix of a temporary file. */
const maxStemBytes = 200;

/**
 * Returns the name of a file next to a request file: `requests.jsonl` -> `requests.results.jsonl`. A file with another extension keeps its
 * whole name. A name that is too long for a file system is cut and gets a short hash of the whole name.
 */
export function siblingName(name: string, kind: SiblingKind): string {
  const stem = shortened(name.replace(/\.(?:jsonl|ndjson)$/i, ''));
  return `${stem === '' ? 'requests' : stem}.${kind}.jsonl`;
}

/** Returns the path of a new file `<name>.<kind>.jsonl` next to a file, numbered if it exists. Asks the user if the folder is read-only. */
export async function newPathBeside(file: vscode.Uri, kind: SiblingKind, title: string): Promise<string> {
  const { name: stem, ext } = path.parse(siblingName(fileNameOf(file.toString()), kind));
  return await chooseFreePath(file, stem, ext, title);
}

function shortened(stem: string): string {
  const bytes = Buffer.from(stem);
  if (bytes.length <= maxStemBytes) {
    return stem;
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  let end = maxStemBytes - hash.length - 1;
  // Avoids cutting inside a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end--;
  }
  return `${bytes.toString('utf8', 0, end)}-${hash}`;
}

/** Returns the file name of a source URI. */
export function fileNameOf(source: string): string {
  return baseName(source).replace(/[/\\:]/g, '-');
}

/** Returns a file name for the results of a batch. The service chooses the batch ID, so path separators in it are replaced. */
export function resultsNameOf(batchId: string): string {
  const safe = toFileStem(batchId.replace(/[^\w-]+/g, '-'));
  return `${safe === '' ? 'batch' : safe}.results.jsonl`;
}

export type ResultsFileDependencies = Pick<BatchDependencies, 'jobs' | 'registry'> & { readonly log: Pick<Log, 'info'> };

type Registry = ResultsFileDependencies['registry'];

/** Best results of a run and of the runs that complete it. */
export interface BestResults {
  readonly results: RunResults;
  /** The results file. `undefined` if no file was written because the results file of a full run exists, or the folder is read-only. */
  readonly file: string | undefined;
  /** Path that the results file of an earlier full run was moved to. */
  readonly movedTo: string | undefined;
}

/** Name of the lock's folder in the ledger's folder. */
const lockFolder = 'results-files';

/** Name of the folder next to a request file for the results of its earlier full runs. */
const archiveFolder = '.managed-agents';

/**
 * Updates the results file `<name>.results.jsonl` of a request file after `run` got results. The file has the best result of each request,
 * from the latest full run and the runs that completed it. The results file of an earlier full run is moved to
 * `.managed-agents/<name>/<date>.results.jsonl`. A file that the user changed or created is never replaced. The new file then gets the next
 * free name. Only one window updates a results file at a time. Returns `undefined` while the oldest of the runs has no results. Without
 * `writesFile`, the results are only merged in the ledger's folder, and no file of the user changes.
 */
export async function updateResultsFile(
  deps: ResultsFileDependencies,
  run: Run,
  { writesFile = true, ...options }: JobOptions & { readonly writesFile?: boolean } = {},
): Promise<BestResults | undefined> {
  const { registry } = deps;
  const folder = path.join(registry.root, lockFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return await withFolderLock(folder, async fence => {
    await registry.reload();
    const merged = await mergeFamily(deps, run, options);
    await fence.check();
    return writesFile && merged ? await writeFile(registry, merged.root, merged.results, options.signal) : undefined;
  });
}

/** Returns the current record of a run and the records of the runs that complete it, oldest first. */
function familyOf(all: readonly Submission[], run: Run): readonly Run[] {
  return generationsOf(toRuns(all), runOf(all, run.lead) ?? run);
}

/** Merges the results of all runs of a family unless they are merged already. A single run needs no merge. */
async function mergeFamily({ jobs, registry, log }: ResultsFileDependencies, run: Run, options: JobOptions) {
  const family = familyOf(registry.all(), run);
  const [root] = family;
  const runs = family.filter(one => resultsOf(one) !== undefined);
  if (root === undefined || runs[0] !== root) {
    return undefined;
  }
  const { id, merged } = root.lead;
  const inFolder = (name: string) => path.join(registry.folder(id), name);
  const indexPath = inFolder(submissionFiles.mergedIndex);
  if (runs.length === 1 && merged !== undefined) {
    await registry.update(id, { merged: undefined });
  } else if (runs.length > 1 && !(isMergedOf(root, runs) && merged && (await ResultsIndex.fits(indexPath, merged.joinedPath)))) {
    // Set before the merge, so that results that arrive meanwhile are merged again.
    const fetchedAt = new Date().toISOString();
    const source = {
      generations: await toGenerations({ jobs, registry, log }, runs, options.signal),
      joinedPath: inFolder(submissionFiles.mergedResults),
      indexPath,
      historyPath: inFolder(submissionFiles.mergedHistory),
    };
    await registry.update(id, {
      merged: { ...(await jobs.run('mergeResults', source, options)), fetchedAt, runIds: runs.map(one => one.id) },
    });
  }
  const all = registry.all();
  const current = runOf(all, root.lead) ?? root;
  const results = finalResultsOf(toRuns(all), current);
  return results && { root: current, results };
}

function isMergedOf({ lead: { merged } }: Run, runs: readonly Run[]): boolean {
  const newest = Math.max(...runs.map(one => Date.parse(resultsOf(one)?.fetchedAt ?? '')));
  return (
    merged?.runIds.length === runs.length &&
    runs.every(({ id }, index) => merged.runIds[index] === id) &&
    Date.parse(merged.fetchedAt) >= newest
  );
}

async function toGenerations(deps: ResultsFileDependencies, runs: readonly Run[], signal: AbortSignal | undefined) {
  const { registry } = deps;
  const [root] = runs;
  const hasOtherRequests = runs.some(run => run.lead.sha256 !== root?.lead.sha256 && !isDerivedRetry(run, registry.all()));
  const generations: MergeSource['generations'][number][] = [];
  for (const run of runs) {
    const results = resultsOf(run);
    if (results === undefined) {
      throw new Error('The generation has no results.');
    }
    const linesPaths: string[] = [];
    const requestCounts: number[] = [];
    const requestFiles: SentRequestFile[] = [];
    // The list of lines of a submission without a batch may be cut off.
    for (const submission of run.submissions.filter(({ state }) => state === 'created')) {
      const { linesPath } = await checkLines(deps, submission, signal);
      if (linesPath !== undefined) {
        linesPaths.push(linesPath);
        requestCounts.push(submission.requestCount);
        const hashesPath = hasOtherRequests ? await hashSubmitted(deps, submission, signal) : undefined;
        requestFiles.push({ sha256: submission.sha256, ...(hashesPath !== undefined && { hashesPath }) });
      }
    }
    generations.push({
      ...pathsOf(registry, results),
      linesPaths,
      requestCounts,
      words: requestFiles,
      isRetry: isDerivedRetry(run, registry.all()),
      isSameSource: run.source === root?.source && run.lead.sha256 === root.lead.sha256,
      report: results.report,
    });
  }
  return generations;
}

async function writeFile(registry: Registry, root: Run, results: RunResults, signal: AbortSignal | undefined): Promise<BestResults> {
  const { id, resultsFile } = root.lead;
  const isInLedger = results.joinedPath.startsWith(registry.root + path.sep);
  const stamp = resultsFile && (await stampOfFile(resultsFile.path).catch(() => ''));
  const isOurs = stamp === undefined || stamp === resultsFile?.stamp;
  // Earlier versions joined results next to the request file.
  if (!isInLedger || (isOurs && stamp !== undefined && resultsFile?.fetchedAt === results.fetchedAt)) {
    return { results, file: results.filePath, movedTo: undefined };
  }
  const location =
    resultsFile !== undefined && isOurs && (await canWriteTo(path.dirname(resultsFile.path)))
      ? { file: resultsFile.path, stamp }
      : await findLocation(registry, root, results);
  if (location === undefined) {
    return { results, file: undefined, movedTo: undefined };
  }
  const file = location.isWritten ? location.file : await copy(results.joinedPath, location.file, { stamp: location.stamp }, signal);
  const written = { path: file, stamp: (await stampOfFile(file)) ?? '', fetchedAt: results.fetchedAt };
  await registry.update(id, { resultsFile: written });
  return { results: { ...results, filePath: file }, file, movedTo: location.movedTo };
}

interface ResultsLocation {
  readonly file: string;
  /** Stamp of the file that may be replaced. */
  readonly stamp?: string | undefined;
  readonly isWritten?: boolean;
  readonly movedTo?: string;
}

/**
 * Returns the path for a new results file, or `undefined` if none should be written. Moves away the results file of an earlier full run.
 */
async function findLocation(registry: Registry, root: Run, results: RunResults): Promise<ResultsLocation | undefined> {
  const source = vscode.Uri.parse(root.source);
  const folder = await writableFolderOf(source);
  if (folder === undefined) {
    return undefined;
  }
  const name = siblingName(fileNameOf(root.source), 'results');
  const wanted = path.join(folder, name);
  const stamp = await stampOfFile(wanted);
  if (stamp === undefined) {
    return { file: wanted };
  }
  const owner = registry.all().find(one => filesOf(one).some(file => file.path === wanted && file.stamp === stamp));
  if (owner === undefined) {
    // The window may have closed before it recorded that these results were written to that file.
    const index = await ResultsIndex.open(pathsOf(registry, results).indexPath, wanted).catch(() => undefined);
    const { name: stem, ext } = path.parse(name);
    return index?.isSampledWhole ? { file: wanted, isWritten: true } : { file: (await findFreePath(source, stem, ext)) ?? wanted };
  }
  if (!isFull(familyOf(registry.all(), root))) {
    return undefined;
  }
  if (Date.parse(owner.startedAt) > Date.parse(root.startedAt)) {
    return { file: await archivePath(folder, name, root.startedAt) };
  }
  const movedTo = await renameToFree(wanted, await archivePath(folder, name, owner.startedAt));
  const [from, to] = [vscode.Uri.file(wanted).toString(), vscode.Uri.file(movedTo).toString()];
  await applyRenames(registry, [{ from, to, fromPath: wanted, toPath: movedTo }]);
  return { file: wanted, movedTo };
}

/** Returns whether runs cover the whole file: a run of all requests, or a trial with its rest. */
function isFull([root, ...others]: readonly Run[]): boolean {
  const purposeOf = (run: Run | undefined) => run?.lead.selection?.purpose ?? 'part';
  return purposeOf(root) === 'part' || others.some(run => purposeOf(run) === 'rest' && resultsOf(run) !== undefined);
}

/** Returns the results files recorded in a submission. In records of earlier versions, the joined results are next to the request file. */
function filesOf({
  results,
  groupResults,
  merged,
  resultsFile,
}: Submission): readonly { readonly path: string; readonly stamp?: string }[] {
  const joined = [results, groupResults, merged].flatMap(one =>
    one === undefined ? [] : [{ path: one.joinedPath, ...(one.stamp !== undefined && { stamp: one.stamp }) }],
  );
  return resultsFile === undefined ? joined : [...joined, resultsFile];
}

/** Returns the path for an archived file and creates its folder, such as `.managed-agents/tickets/2026-11-28T10-02-33.results.jsonl`. */
async function archivePath(folder: string, name: string, startedAt: string): Promise<string> {
  const ending = '.results.jsonl';
  const archive = path.join(folder, archiveFolder, name.slice(0, -ending.length));
  await mkdir(archive, { recursive: true });
  return path.join(archive, `${startedAt.slice(0, 19).replaceAll(':', '-')}${ending}`);
}

async function copy(from: string, to: string, replaceable: ReplaceableTarget, signal: AbortSignal | undefined): Promise<string> {
  const file = await WholeFile.create(to);
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
      await file.appendAll([chunk as Buffer]);
    }
    await file.finish(signal);
    return await file.publishOver(replaceable);
  } finally {
    await file.discard();
  }
}

/**
 * Checks the `lines.tsv` of a submission before it is used. Restores a damaged file. Removes a file that can't be restored, and returns no
 * path (see `restoreLines`).
 */
export async function checkLines({ registry, jobs, log }: ResultsFileDependencies, submission: Submission, signal?: AbortSignal) {
  const { id, fileBytes, sha256, selection, requestCount } = submission;
  const file = sentPathOf(registry, submission);
  const linesPath = path.join(registry.folder(id), submissionFiles.lines);
  const sent = file === undefined ? undefined : { path: file, fileBytes, sha256, selection };
  const fate = await jobs.run('restoreLines', { linesPath, requestCount, sent }, { signal });
  if (fate !== 'whole') {
    log.info(`The list of lines of submission ${id} was damaged or gone. ${fate === 'restored' ? 'It was written again.' : 'It is lost.'}`);
  }
  return { linesPath: fate === 'lost' ? undefined : linesPath, fate };
}
