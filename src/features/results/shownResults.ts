import path from 'node:path';
import * as vscode from 'vscode';
import { fileNameOf } from '../../common/files/fileNameOf';
import type { BatchReference, RunReference } from '../../contributions';
import { expectationsNameOf } from '../../jsonl/expecting/expectationsName';
import { fieldsNameOf } from '../../jsonl/fields/fieldsName';
import type { BesideFiles } from '../../jsonl/querying/valueColumns';
import type { JoinedResults } from '../../jsonl/results/joinedResults';
import { nameOfResults } from '../batches/api';
import {
  chosenResultsOf,
  generationsOf,
  isMerged,
  pathsOf,
  type Run,
  type RunResults,
  type Submission,
  type SubmissionRegistry,
  submissionFiles,
  toRuns,
} from '../ledger';

/** Reference to the results to use. `undefined` lets the user choose. */
export type ResultsTarget = RunReference | BatchReference | vscode.Uri | undefined;

/** Results of a target according to the ledger. */
export interface ShownResults {
  readonly run: Run;
  /** True if the results include the results of retries. */
  readonly withRetries: boolean;
  readonly name: string;
  /** Oldest run of the family. */
  readonly root: Run;
  readonly results: RunResults | undefined;
  readonly joined: JoinedResults | undefined;
  /** URI string of the file to which line numbers of the results refer. */
  readonly linesOf: string;
  /** Path of the history of each request, if the results of several runs are merged. */
  readonly historyPath: string | undefined;
  /** Runs included in the results, oldest first. */
  readonly runs: readonly Run[];
  /** All submissions included in the results, newest first. */
  readonly submissions: readonly Submission[];
}

/** Returns the results of a run from the ledger, or `undefined` if the run is unknown. */
export function findShown(
  registry: Pick<SubmissionRegistry, 'all' | 'folder'>,
  { runId, withRetries = false }: RunReference,
): ShownResults | undefined {
  const runs = toRuns(registry.all());
  const context = { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
  const run = runs.find(({ id, submissions }) => id === runId || submissions.some(submission => submission.id === runId));
  if (run === undefined) {
    return undefined;
  }
  const results = chosenResultsOf(runs, { run, withRetries });
  const family = generationsOf(runs, run);
  const hasSeveral = results !== undefined && isMerged(results);
  const merged = new Set(family[0]?.lead.merged?.runIds);
  const included = hasSeveral ? family.filter(({ id }) => merged.has(id)) : [run];
  return {
    ...{ run, withRetries: hasSeveral, root: family[0] ?? run, results, runs: included },
    name: hasSeveral
      ? vscode.l10n.t('{0} - best of {1} runs', fileNameOf(vscode.Uri.parse((family[0] ?? run).source)), included.length)
      : nameOfResults({ run, withRetries: false }, runs, context),
    linesOf: (hasSeveral ? (family[0] ?? run) : run).source,
    joined: results && pathsOf(registry, results),
    historyPath: hasSeveral ? path.join(registry.folder(results.submissionId), submissionFiles.mergedHistory) : undefined,
    submissions: included.flatMap(({ submissions }) => [...submissions]).reverse(),
  };
}

/** Returns the paths of expectations and extra fields for the request file with this URI. */
export function besideFilesOf(requests: string): BesideFiles {
  const { scheme, fsPath } = vscode.Uri.parse(requests);
  const at = (name: string): string => path.join(path.dirname(fsPath), name);
  const base = path.basename(fsPath);
  return scheme === 'file' ? { expectationsPath: at(expectationsNameOf(base)), fieldsPath: at(fieldsNameOf(base)) } : {};
}
