import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { describeTime } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { ComparedKind, Comparison } from '../../../jsonl/comparing/comparingJobs';
import { toJson } from '../../../jsonl/comparing/sameAnswer';
import { answerText, errorText, toRecord } from '../../../jsonl/querying/answerText';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { maskSecrets } from '../../../shared/maskedJson';
import { toMarkWord } from '../../../shared/results/markWords';
import { toLabel } from '../../../shared/text';
import { markOf } from '../panel/resultsTable';

/** What is told of one of the runs. */
export interface SideFacts {
  readonly name: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly connection: string;
  readonly models: readonly string[];
}

/** A pair that is not the same on both sides. */
export interface ComparedPair {
  readonly kind: ComparedKind;
  readonly before: ResultEntry | undefined;
  readonly after: ResultEntry | undefined;
}

export interface CompareContext {
  readonly translate: Translate;
  readonly locale: string;
}

/** Kinds in words, with how many there are. */
export function kindWords(kind: ComparedKind, t: Translate): string {
  switch (kind) {
    case 'regressed':
      return t('Regressed');
    case 'lost':
      return t('Only before');
    case 'changed':
      return t('Changed');
    case 'fixed':
      return t('Fixed');
    case 'added':
      return t('Only after');
    case 'same':
      return t('Same');
  }
}

/** A codicon for each kind: a shape of its own beside the words. */
export function kindIcon(kind: ComparedKind): string {
  return { regressed: 'arrow-down', lost: 'diff-removed', changed: 'diff-modified', fixed: 'arrow-up', added: 'diff-added', same: 'pass' }[
    kind
  ];
}

/** `vendor-opus-5`, or `vendor-opus-5 and 2 more`; empty when none is known. */
export function modelWords(models: readonly string[]): string {
  const [first] = models;
  return first === undefined ? '' : `${toLabel(first, 60)}${models.length > 1 ? ` +${models.length - 1}` : ''}`;
}

/** What a result is, in a few words: its state, and why it is not a whole answer. */
export function resultWords(entry: ResultEntry | undefined, t: Translate): string {
  if (entry === undefined) {
    return t('no answer');
  }
  const reason = entry.errorType ?? entry.stopReason;
  const state = toMarkWord(markOf(entry), t);
  const isPlain = reason === undefined || reason === 'end_turn';
  return isPlain ? state : `${state} (${toLabel(reason, 60)})`;
}

/** From what to what a pair went: `succeeded → errored (api_error)`. Where both sound the same, what differs is the answer. */
export function changeWords({ before, after }: ComparedPair, t: Translate): string {
  const [from, to] = [resultWords(before, t), resultWords(after, t)];
  return from === to ? t('{0}, another answer', from) : `${from} → ${to}`;
}

/** The texts that a diff of a pair shows: JSON laid out with its keys in order when both are JSON, so that only what is said differs. */
export function toDiffTexts(
  before: string | undefined,
  after: string | undefined,
): { readonly before: string; readonly after: string; readonly ending: 'json' | 'txt' } {
  const [first, second] = [before, after].map(line => (line === undefined ? '' : lineText(line))) as [string, string];
  const values = [first, second].map(text => (text === '' ? undefined : toJson(text)));
  const isJson =
    [first, second].every((text, side) => text === '' || values[side] !== undefined) && values.some(value => value !== undefined);
  if (!isJson) {
    return { before: first, after: second, ending: 'txt' };
  }
  const laidOut = (value: object | undefined) => (value === undefined ? '' : `${JSON.stringify(inOrder(value), undefined, 2)}\n`);
  try {
    return { before: laidOut(values[0]), after: laidOut(values[1]), ending: 'json' };
  } catch {
    // It is nested too deep to be laid out.
    return { before: first, after: second, ending: 'txt' };
  }
}

/** The words of a joined line: the answer, or the error's type and message. */
function lineText(line: string): string {
  const result = maskSecrets(toRecord(toRecord(JSON.parse(line)).result));
  if (result.type === 'succeeded') {
    return answerText(result);
  }
  const outer = toRecord(result.error);
  const type = toRecord(outer.error).type ?? outer.type;
  return result.type === 'errored' ? `${typeof type === 'string' ? `${type}: ` : ''}${errorText(result)}` : '';
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOrder);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, inOrder(member)]),
  );
}

const shownPairs = 20;
const shownKinds: readonly ComparedKind[] = ['regressed', 'lost', 'changed', 'fixed', 'added'];

/** The page that sums a comparison up: who is compared, counts, tokens, and the first pairs of each kind, regressions first. */
export function toSummaryPage(
  sides: readonly [SideFacts, SideFacts],
  comparison: Comparison,
  pairsOf: (kind: ComparedKind) => readonly ComparedPair[],
  { translate: t, locale }: CompareContext,
): string {
  const [before, after] = sides;
  const number = new Intl.NumberFormat(locale);
  const sections = [
    `# ${escapeMarkdown(before.name === after.name ? t('Two runs of {0}', before.name) : t('{0} and {1}', before.name, after.name))}`,
    table(
      ['', t('Before'), t('After')],
      [
        ...(before.name === after.name ? [] : [[t('File'), before.name, after.name]]),
        [t('Sent'), describeTime(before.startedAt, { locale }), describeTime(after.startedAt, { locale })],
        ...(before.connection === after.connection ? [] : [[t('Connection'), before.connection, after.connection]]),
        [t('Model'), modelWords(before.models), modelWords(after.models)],
        ...tokenRows(comparison, t, number),
      ],
    ),
    ...(comparison.pairedBy === 'request' ? [t('No id is in both: requests were paired by what they ask.')] : []),
    table(
      [t('Requests'), ''],
      [...shownKinds, 'same' as const].map(kind => [kindWords(kind, t), number.format(comparison.counts[kind])]),
    ),
    ...shownKinds.flatMap(kind => toSection(kind, comparison.counts[kind], pairsOf(kind), t, number)),
  ];
  return `${sections.join('\n\n')}\n`;
}

function tokenRows({ inputTokens, outputTokens }: Comparison, t: Translate, number: Intl.NumberFormat): readonly string[][] {
  const row = (label: string, [before, after]: readonly [number, number]) => {
    const share =
      before === 0 ? '' : ` (${after >= before ? '+' : '−'}${number.format(Math.abs(Math.round((after / before - 1) * 100)))} %)`;
    return [label, number.format(before), `${number.format(after)}${share}`];
  };
  return [row(t('Input tokens of requests in both'), inputTokens), row(t('Output tokens of requests in both'), outputTokens)];
}

function toSection(
  kind: ComparedKind,
  count: number,
  pairs: readonly ComparedPair[],
  t: Translate,
  number: Intl.NumberFormat,
): readonly string[] {
  if (count === 0) {
    return [];
  }
  const shown = pairs.slice(0, shownPairs).map(pair => {
    const id = (pair.before ?? pair.after)?.customId ?? '';
    const other = pair.after !== undefined && pair.before !== undefined && pair.after.customId !== id ? ` / ${pair.after.customId}` : '';
    return `- **${escapeMarkdown(`${id}${other}`)}**: ${escapeMarkdown(changeWords(pair, t))}`;
  });
  const rest = count - shown.length;
  return [
    `## ${escapeMarkdown(`${kindWords(kind, t)}: ${number.format(count)}`)}`,
    [...shown, ...(rest > 0 ? [`- ${escapeMarkdown(t('and {0} more', number.format(rest)))}`] : [])].join('\n'),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [line(head), `| ${head.map((_, column) => (column === 0 ? '---' : '---:')).join(' | ')} |`, ...rows.map(line)].join('\n');
}
