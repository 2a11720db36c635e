import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { toLabel } from '../../../shared/text';
import {
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  placeBeside,
  requestsOf,
  tellWritten,
  withSource,
  work,
} from '../fileWork';

/** The command that writes the requests of a file in another order, which a seed decides. */
export async function shuffleFile(deps: FileWorkDependencies, given: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  await withSource(deps, given, { question: t('Shuffle which file?'), openLabel: t('Shuffle') }, async source => {
    const seed = await askSeed(t('Shuffle Requests'));
    const outPath = await placeBeside({
      beside: source.uri,
      name: `${source.stem}.shuffled.jsonl`,
      title: t('Save the Shuffled Requests'),
    });
    const report = await work(deps, t('Shuffling {0}', source.name), 'shuffleFile', { path: source.path, outPath, seed });
    const message = t('Wrote {0} to {1} in the order of seed {2}.', requestsOf(report.written), toLabel(path.basename(outPath), 80), seed);
    tellWritten(deps, `${message}${describeOthers(report)}`, outPath, createBatchOf(outPath));
  });
}

/** Asks for the seed; a new one is proposed. Rejects with `CancelledError`. */
export async function askSeed(title: string, canGoBack = false): Promise<string> {
  const seed = await askText({
    title,
    prompt: vscode.l10n.t('The seed: the same seed makes the same choice again.'),
    value: String(randomBytes(4).readUInt32LE() % 1_000_000),
    canGoBack,
    validate: text => (/^[\w.-]{1,40}$/.test(text.trim()) ? undefined : vscode.l10n.t('Give up to 40 letters or digits.')),
  });
  return seed.trim();
}
