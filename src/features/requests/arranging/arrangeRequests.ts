import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions } from '../../../common/asking/askSteps';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import type { Translate } from '../../../common/text/translate';
import type { DuplicateGroup, DuplicatesReport, RepeatKind } from '../../../jsonl/arranging/duplicates';
import type { SampleSize } from '../../../jsonl/arranging/sampleFile';
import type { SplitPlan } from '../../../jsonl/arranging/splitPlan';
import { toNumber } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { defaultLimits } from '../../connection';
import { LinkedReport } from '../documents/linkedReport';
import type { Report } from '../documents/reportDocuments';
import {
  askNewPath,
  count,
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  requestsOf,
  runJob,
  type SourceFile,
  showWritten,
  withSource,
} from '../fileWork';
import { byName, chooseOthers, mergeFiles } from './mergeFiles';
import { splitFile } from './splitFile';

/**
 * Splits, samples, shuffles or merges request files, or removes duplicates. The user chooses the operation from previews. Merges the files
 * that are `selected` in the explorer. The source files don't change.
 */
export async function arrangeRequests(
  deps: FileWorkDependencies,
  given: vscode.Uri | undefined,
  selected: readonly vscode.Uri[] | undefined,
): Promise<void> {
  if (selected !== undefined && selected.length > 1) {
    await mergeFiles(deps, [...selected].sort(byName));
    return;
  }
  const { t } = vscode.l10n;
  const { language } = vscode.env;
  await withSource(deps, given, { question: t('Select a request file'), openLabel: t('Arrange') }, async source => {
    const limits = deps.connections.current?.limits ?? defaultLimits;
    const reading = t('Reading {0}', source.name);
    const found = await runJob(deps, reading, 'findDuplicates', { path: source.path });
    if (found.requests === 0) {
      throw new NothingToDoError(t('{0} has no requests.', source.name));
    }
    const plan = await runJob(deps, reading, 'planSplit', { path: source.path, limits });
    const arrangement = await askChoice({
      title: t('Arrange Requests'),
      placeholder: t('Select an action for {0}', source.name),
      choices: toArrangements(found, plan, source.stem, t, language),
    });
    switch (arrangement) {
      case 'split':
        return await splitFile(deps, source, limits);
      case 'sample':
        return await sample(deps, source);
      case 'shuffle':
        return await shuffle(deps, source);
      case 'merge':
        return await mergeFiles(deps, [source.uri, ...(await chooseOthers(source.uri))]);
      case 'showDuplicates':
        return await deps.reports.show(
          t('Duplicates in {0}', source.name),
          source.uri,
          toDuplicatesReport(source.name, found, t, language),
        );
      default:
        return await writeUnique(deps, source, arrangement);
    }
  });
}

async function sample(deps: FileWorkDependencies, source: SourceFile): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Sample Requests');
  let size = parseSampleSize('10') ?? { count: 10 };
  let seed = '';
  const prompt = t('Number or share, such as 10 or 5%');
  await runQuestions(() => [
    async canGoBack => {
      const validate = (text: string) => (parseSampleSize(text) === undefined ? prompt : undefined);
      size = parseSampleSize(await askText({ title, prompt, value: '10', canGoBack, validate })) ?? size;
    },
    async canGoBack => {
      seed = await askSeed(title, canGoBack);
    },
  ]);
  await writeBeside(deps, source, 'sample', async outPath => {
    const input = { path: source.path, outPath, size, seed };
    const report = await runJob(deps, t('Sampling {0}', source.name), 'sampleFile', input);
    return `${seededMessage(report.written, outPath, seed)}${describeOthers(report, 'left out')}`;
  });
}

async function shuffle(deps: FileWorkDependencies, source: SourceFile): Promise<void> {
  const { t } = vscode.l10n;
  const seed = await askSeed(t('Shuffle Requests'), false);
  await writeBeside(deps, source, 'shuffled', async outPath => {
    const report = await runJob(deps, t('Shuffling {0}', source.name), 'shuffleFile', { path: source.path, outPath, seed });
    return `${seededMessage(report.written, outPath, seed)}${describeOthers(report)}`;
  });
}

async function writeUnique(deps: FileWorkDependencies, source: SourceFile, by: RepeatKind): Promise<void> {
  const { t } = vscode.l10n;
  await writeBeside(deps, source, 'unique', async outPath => {
    const report = await runJob(deps, t('Removing duplicates of {0}', source.name), 'writeUnique', { path: source.path, outPath, by });
    const written = requestsOf(report.written);
    const message = t('Wrote {0} to {1}. Duplicates left out: {2}.', written, nameOfPath(outPath), count(report.dropped));
    return `${message}${describeOthers(report)}`;
  });
}

/** Writes a new file next to the source, and shows the message that `write` returns. */
async function writeBeside(
  deps: FileWorkDependencies,
  { uri, stem }: SourceFile,
  word: string,
  write: (outPath: string) => Promise<string>,
) {
  const outPath = await askNewPath([uri], `${stem}.${word}.jsonl`);
  showWritten(deps, await write(outPath), outPath, createBatchOf(outPath));
}

function seededMessage(written: number, outPath: string, seed: string): string {
  return vscode.l10n.t('Wrote {0} to {1} with seed {2}.', requestsOf(written), nameOfPath(outPath), seed);
}

function nameOfPath(file: string): string {
  return toLabel(path.basename(file), 80);
}

async function askSeed(title: string, canGoBack: boolean): Promise<string> {
  const { t } = vscode.l10n;
  const seed = await askText({
    title,
    prompt: t('Random seed (reuse to repeat)'),
    value: String(randomBytes(4).readUInt32LE() % 1_000_000),
    canGoBack,
    validate: text => (/^[\w.-]{1,40}$/.test(text.trim()) ? undefined : t('Use up to 40 letters or digits.')),
  });
  return seed.trim();
}

/** Returns a report of duplicates, with links to the lines. */
export function toDuplicatesReport(name: string, found: DuplicatesReport, t: Translate, locale?: string): Report {
  const report = new LinkedReport(locale);
  report.add(t('Duplicates in {0}', toLabel(name, 1000)), '');
  report.addTable([
    [t('Requests'), toNumber(found.requests, locale)],
    [t('Same params'), toNumber(found.repeats.params, locale)],
    [t('  and same ID'), toNumber(found.repeats.request, locale)],
    [t('Same ID'), toNumber(found.repeats.id, locale)],
  ]);
  report.add('', t('Key order, whitespace and escapes are ignored.'));
  const addGroups = (title: string, groups: readonly DuplicateGroup[], all: number) => {
    if (groups.length > 0) {
      report.add(
        '',
        groups.length < all ? t('{0}: the first {1} of {2}', title, toNumber(groups.length, locale), toNumber(all, locale)) : title,
      );
      for (const { first, later, laterCount } of groups) {
        const rest = laterCount - later.length;
        report.addLinks(
          '  ',
          [first, ...later].map(one => ({ line: one.line, text: one.id === undefined ? '' : ` (${toLabel(one.id, 64)})` })),
          rest > 0 ? t(' and {0} more', toNumber(rest, locale)) : '',
        );
      }
    }
  };
  addGroups(t('Lines with the same params'), found.sameParams, found.sameParamsGroups);
  addGroups(t('Lines with the same ID and different params'), found.sameIds, found.sameIdsGroups);
  return report.report();
}

/** Operation on the requests of a file. Never changes the file itself. */
export type Arrangement = 'split' | 'sample' | 'shuffle' | 'merge' | 'showDuplicates' | RepeatKind;

/** Returns the operations for a file, each with a preview of the result. */
export function toArrangements(
  { requests, repeats }: Pick<DuplicatesReport, 'requests' | 'repeats'>,
  { parts, tooLarge }: Pick<SplitPlan, 'parts' | 'tooLarge'>,
  stem: string,
  t: Translate,
  locale?: string,
): readonly Choice<Arrangement>[] {
  const batches =
    tooLarge.count === 1
      ? t('1 request is too large for a batch')
      : tooLarge.count > 1
        ? t('{0} requests are too large for a batch', toNumber(tooLarge.count, locale))
        : parts.length === 1
          ? t('Fits in one batch')
          : t('Needs {0} batches', toNumber(parts.length, locale));
  const unique = (value: RepeatKind, label: string): readonly Choice<Arrangement>[] => {
    const [written, all] = [toNumber(requests - repeats[value], locale), toNumber(requests, locale)];
    const detail = t('Writes {0} of {1} requests to {2}', written, all, `${stem}.unique.jsonl`);
    return repeats[value] === 0 ? [] : [{ label, detail, value }];
  };
  const duplicates: Choice<Arrangement> = {
    label: t('Show Duplicates'),
    detail: t('Same params: {0}, same ID: {1}', toNumber(repeats.params, locale), toNumber(repeats.id, locale)),
    value: 'showDuplicates',
  };
  return [
    {
      label: t('Split into Parts...'),
      detail: t('{0}. The parts are named {1} and so on', batches, `${stem}.part-001.jsonl`),
      value: 'split',
    },
    { label: t('Sample...'), detail: t('Writes to {0}', `${stem}.sample.jsonl`), value: 'sample' },
    { label: t('Shuffle...'), detail: t('Writes to {0}', `${stem}.shuffled.jsonl`), value: 'shuffle' },
    { label: t('Merge with Other Files...'), detail: t('Combines several files into one'), value: 'merge' },
    ...(repeats.params + repeats.id > 0 ? [duplicates] : []),
    ...unique('params', t('Remove Duplicates by Params')),
    ...unique('request', t('Remove Duplicates by Params and ID')),
    ...unique('id', t('Remove Duplicates by ID')),
  ];
}

/** Parses `10` or `5 %`. Returns `undefined` for any other text. */
export function parseSampleSize(text: string): SampleSize | undefined {
  const [, number = '', sign] = /^(\d{1,9}(?:[.,]\d{1,6})?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(number.replace(',', '.'));
  if (sign === '%') {
    return value > 0 && value <= 100 ? { share: value / 100 } : undefined;
  }
  return Number.isSafeInteger(value) && value > 0 ? { count: value } : undefined;
}
