import { fileURLToPath } from 'node:url';
import { orAborted } from '../../shared/orAborted';
import { chosenResultsOf, type Run, type RunResults, resultsOf, resultsOfSource, runOf, toRuns } from '../ledger';
import type { AssistantServices } from './assistantServices';
import { ToolRefusal } from './assistantTool';

/** Submission that a model named, and its results. */
export interface NamedRun {
  readonly run: Run;
  readonly results: RunResults;
}

/** Returns the fetched results of a batch, or of the newest batch of a file. Throws a `ToolRefusal` if there are none. */
export async function findNamedRun(
  services: AssistantServices,
  { batch, file }: { readonly batch?: string | undefined; readonly file?: string | undefined },
): Promise<NamedRun> {
  const { registry } = services;
  await registry.reload();
  const all = registry.all();
  if (batch !== undefined) {
    const submission = all.find(({ batchId }) => batchId === batch);
    const run = submission && runOf(all, submission);
    if (run === undefined) {
      throw new ToolRefusal(
        `Batch ${batch} was not sent from this machine, so its results are not here. Call list_batches. The user can fetch the results of any batch in the Batches view.`,
      );
    }
    const results = resultsOf(run);
    if (results === undefined) {
      throw notFetched(`the batch ${batch}`);
    }
    return { run, results };
  }
  if (file === undefined) {
    throw new ToolRefusal('Give either batch or file.');
  }
  const named = await services.findFile(file);
  const found = resultsOfSource(all, named.source) ?? ofJoinedFile(toRuns(all), named.path);
  if (found !== undefined) {
    return found;
  }
  if (!all.some(({ source }) => source === named.source)) {
    throw new ToolRefusal(`${named.name} was never sent as a batch from this machine. Call check_requests, then propose_batch.`);
  }
  throw notFetched(named.name);
}

/** Returns the run whose results are in a joined file. */
function ofJoinedFile(runs: readonly Run[], path: string): NamedRun | undefined {
  for (const run of runs) {
    for (const withRetries of [false, true]) {
      const results = chosenResultsOf(runs, { run, withRetries });
      if (results?.filePath === path) {
        return { run, results };
      }
    }
  }
  return undefined;
}

function notFetched(name: string): ToolRefusal {
  return new ToolRefusal(
    `The results of ${name} have not been fetched. Call list_batches to see whether the batch has ended, then ask the user to fetch them (use show to open the batch).`,
  );
}

/** Returns the path of a ledger file for a model. */
export function toPath(source: string): string {
  try {
    return source.startsWith('file:') ? fileURLToPath(source) : source;
  } catch {
    return source;
  }
}

/**
 * Requires the user's consent to show a model contents that came through a connection. Asks once. Throws a `ToolRefusal` if the user
 * declines. Stops waiting when `signal` aborts.
 */
export async function demandConsent(services: AssistantServices, connection: string, signal: AbortSignal): Promise<void> {
  if (!(await orAborted(services.askConsent(connection), signal))) {
    throw new ToolRefusal(
      `The user does not allow models to read contents of the connection "${connection}". Do not ask again. list_batches and list_sessions still work. The user can allow it with the command "Manage What Models May Read".`,
    );
  }
}
