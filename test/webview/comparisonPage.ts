import type { Locator } from 'playwright-core';
import {
  type ComparedKind,
  type ComparedPairView,
  type ComparisonFilter,
  type ComparisonHead,
  type ComparisonRow,
  comparedKinds,
  type FromPairs,
  type PairsState,
  type ToComparison,
} from '../../src/shared/comparison/comparisonProtocol';
import { type PageOptions, WebviewPage } from './webviewPage';

const counts = { all: 100_000, regressed: 12, fixed: 3, changed: 900, lost: 2, added: 0, same: 99_083 } as const;

const labels = { all: 'All', regressed: 'Worse', fixed: 'Better', changed: 'Changed', lost: 'Only in A', added: 'Only in B', same: 'Same' };

export const head: ComparisonHead = {
  of: 'results',
  title: 'Two runs of requests.jsonl',
  runs: [
    { name: 'requests.jsonl', facts: ['vendor-sonnet-5', 'Nov 21, 2026, 9:03 PM', 'Lab'] },
    { name: 'requests.jsonl', facts: ['vendor-haiku-4-5', 'Nov 22, 2026, 9:03 PM', 'Lab'] },
  ],
  summary: '12 worse, 3 better, 900 changed, 99,083 the same',
  chance: 'B is worse.',
  tone: 'worse',
  differences: [],
  details: [
    'As expected: 84.0 % → 80.0 %, −4.0 (−6.7 to −1.4) percentage points, p = 0.004. 500 of 502 requests, not compared: 2 failed in B',
    "Pass and fail: McNemar's exact test.",
  ],
  notices: ['Invalid checks: 2.'],
  numbers: [{ name: 'Output tokens', before: '12,000', after: '9,000 (−25 %)' }],
  acts: [{ act: 'together', label: 'Show Differences in One Editor' }],
  filtersLabel: 'Filter requests',
  filters: (['all', ...comparedKinds] as const).map(id => ({ id, label: labels[id], count: counts[id] })),
  tableLabel: 'Requests of both runs',
  columns: ['B vs. A', 'ID', 'A', 'Answer of A', 'B', 'Answer of B'],
  empty: 'No requests',
  pairLabel: 'Both answers',
};

function kindAt(filter: ComparisonFilter, place: number): ComparedKind {
  if (filter !== 'all') {
    return filter;
  }
  const firsts = comparedKinds.map((_, at) => comparedKinds.slice(0, at).reduce((sum, kind) => sum + counts[kind], 0));
  return comparedKinds[firsts.findLastIndex(first => first <= place)] ?? 'same';
}

/** Returns a row as the host builds it. */
export function comparisonRowAt(filter: ComparisonFilter, place: number): ComparisonRow {
  const kind = kindAt(filter, place);
  const words = { ...labels, lost: 'missing', added: 'new' }[kind].toLowerCase();
  const cells = (className: string, ...texts: readonly [string, string]) => [
    { words: texts[0], className },
    { words: texts[1], className: 'words' },
  ];
  const none = [{ words: 'no result', className: 'isComing' }, { words: '' }];
  const passes = cells('mark-succeeded', 'passes', `The label of ${place + 1} is spam.`);
  const worse =
    place % 2 === 0
      ? cells('mark-failed', 'failed: overloaded_error', 'Overloaded')
      : cells('mark-failed', 'fails contains, equals', 'I cannot tell.');
  return {
    cells: [
      { words, className: `kind kind-${kind}` },
      { words: `question-${place + 1}`, className: 'id' },
      ...(kind === 'added' ? none : passes),
      ...(kind === 'lost' ? none : kind === 'regressed' ? worse : passes),
    ],
  };
}

/** A comparison in a page of a real Chromium, with a host that responds to its messages. */
export class ComparisonPage extends WebviewPage<FromPairs, ToComparison, PairsState> {
  static async open(options: PageOptions<PairsState> = {}, change: Partial<ComparisonHead> = {}): Promise<ComparisonPage> {
    const page = new ComparisonPage();
    await page.start('comparison', options);
    await page.post({ type: 'snapshot', head: { ...head, ...change } });
    await page.serve();
    return page;
  }

  /** Responds to the panel's messages until there are none. */
  async serve(): Promise<readonly FromPairs[]> {
    return await this.answerAll(toAnswer);
  }

  get grid(): Locator {
    return this.page.getByRole('grid');
  }

  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }
}

function toAnswer(message: FromPairs): readonly ToComparison[] {
  if (message.type === 'window') {
    const { filter, from } = message;
    const count = Math.max(0, Math.min(message.count, counts[asFilter(filter)] - from));
    return [{ type: 'rows', filter, from, rows: Array.from({ length: count }, (_, at) => comparisonRowAt(asFilter(filter), from + at)) }];
  }
  if (message.type === 'open') {
    const { filter, place } = message;
    const [, id, , before, , after] = comparisonRowAt(asFilter(filter), place).cells.map(({ words }) => words);
    const side = (text: string) => ({
      facts: [{ name: 'Stop reason', value: 'end_turn' }],
      parts: [{ form: 'markdown' as const, text: `**${text}**` }],
      isCut: false,
    });
    const pair: ComparedPairView = {
      ...{ name: id ?? '', label: `Both answers to ${id}` },
      links: [
        { act: 'difference', label: 'Show Difference' },
        ...(before ? [{ act: 'before', label: 'Results of A' }] : []),
        ...(after ? [{ act: 'after', label: 'Results of B' }] : []),
        { act: 'request', label: 'Go to Request' },
      ],
      ...(before && { before: side(before) }),
      ...(after && { after: side(after) }),
    };
    return [{ type: 'pair', filter, place, pair }];
  }
  return [];
}

function asFilter(filter: string): ComparisonFilter {
  return filter as ComparisonFilter;
}
