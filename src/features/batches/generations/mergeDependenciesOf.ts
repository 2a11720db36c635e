import path from 'node:path';
import * as vscode from 'vscode';
import { canWriteTo, freeNameBeside } from '../../../common/asking/newFile';
import { hashSubmitted } from '../../ledger';
import { fateOfResults } from '../fetching/fateOfResults';
import { mendLines } from '../fetching/mendLines';
import { fileNameOf, siblingName } from '../fetching/siblingNames';
import { sourcePathOf } from '../incremental/sourcePath';
import type { RunDependencies } from '../runCommands';
import type { MergeDependencies } from './mergeRuns';

/** What merging needs, in this window: a new `<name>.final.jsonl` beside the source, or in the root's folder where that cannot be. */
export function mergeDependenciesOf({
  jobs,
  registry,
  clock,
  log,
}: Pick<RunDependencies, 'jobs' | 'registry' | 'clock' | 'log'>): MergeDependencies {
  return {
    jobs,
    registry,
    placeFor: async ({ source, lead }) => {
      const { name, ext } = path.parse(siblingName(fileNameOf(source), 'final'));
      return (await freeNameBeside(vscode.Uri.parse(source), name, ext)) ?? path.join(registry.folder(lead.id), `${name}${ext}`);
    },
    fateOf: fateOfResults,
    canReplace: joinedPath => canWriteTo(path.dirname(joinedPath)),
    now: () => clock?.now() ?? Date.now(),
    mendLines: (submission, signal) => mendLines({ registry, jobs, log, toPath: sourcePathOf }, submission, signal),
    hashesOf: (submission, signal) => hashSubmitted({ registry, jobs, toPath: sourcePathOf }, submission, signal),
  };
}
