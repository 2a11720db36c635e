import type { Locator } from 'playwright-core';
import {
  type ComparedKind,
  comparedKinds,
  type ComparisonFilter,
  type ComparisonHead,
  type ComparisonRow,
  type ComparisonState,
  type FromComparison,
  type ToComparison,
} from '../../src/shared/comparison/comparisonProtocol';
import { type PageOptions, WebviewPage } from './webviewPage';

const counts = { all: 100_000, regressed: 12, fixed: 3, changed: 900, lost: 2, added: 0, same: 99_083 } as const;

export const head: ComparisonHead = {
  title: 'Two runs of requests.jsonl',
  runs: [
    { name: 'requests.jsonl', facts: ['vendor-sonnet-5', 'Nov 21, 2026, 9:03 PM', 'Lab'] },
    { name: 'requests.jsonl', facts: ['vendor-haiku-4-5', 'Nov 22, 2026, 9:03 PM', 'Lab'] },
  ],
  summary: '12 worse, 3 better, 900 changed, 99,083 the same',
  chance: 'B is worse.',
  tone: 'worse',
  measures: ['As expected: 84.0 % → 80.0 %, −4.0 (−6.7 to −1.4) points, p = 0.004. 500 of 502 requests, not compared: 2 failed in B'],
  method: "Pass and fail: McNemar's exact test.",
  notices: ['Invalid checks: 2.'],
  numbers: [{ name: 'Output tokens', before: '12,000', after: '9,000 (−25 %)' }],
  counts,
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
  const answer = {
    mark: 'succeeded',
    reason: '',
    outputTokens: 12,
    expected: 'passes',
    failed: [],
    words: `The label of ${place + 1} is spam.`,
  } as const;
  return {
    ...{ id: `question-${place + 1}`, kind },
    ...(kind !== 'added' && { before: kind === 'fixed' ? { ...answer, expected: 'fails', failed: ['equals'] } : answer }),
    ...(kind !== 'lost' && {
      after:
        kind === 'regressed'
          ? place % 2 === 0
            ? { ...answer, mark: 'failed', reason: 'overloaded_error', words: 'Overloaded' }
            : { ...answer, expected: 'fails', failed: ['contains', 'equals'], words: 'I cannot tell.' }
          : answer,
    }),
  };
}

/** A comparison in a page of a real Chromium, with a host that responds to its messages. */
export class ComparisonPage extends WebviewPage<FromComparison, ToComparison, ComparisonState> {
  static async open(options: PageOptions<ComparisonState> = {}, change: Partial<ComparisonHead> = {}): Promise<ComparisonPage> {
    const page = new ComparisonPage();
    await page.start('comparison', options);
    await page.post({ type: 'snapshot', head: { ...head, ...change } });
    await page.serve();
    return page;
  }

  /** Responds to the panel's messages until there are none. */
  async serve(): Promise<readonly FromComparison[]> {
    return await this.answerAll(toAnswer);
  }

  get grid(): Locator {
    return this.page.getByRole('grid');
  }

  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }
}

function toAnswer(message: FromComparison): readonly ToComparison[] {
  if (message.type === 'window') {
    const { filter, from } = message;
    const count = Math.max(0, Math.min(message.count, counts[filter] - from));
    return [{ type: 'rows', filter, from, rows: Array.from({ length: count }, (_, at) => comparisonRowAt(filter, from + at)) }];
  }
  if (message.type === 'open') {
    const { filter, place } = message;
    const row = comparisonRowAt(filter, place);
    const side = (text: string) => ({
      facts: [{ name: 'Stop reason', value: 'end_turn' }],
      parts: [{ form: 'markdown' as const, text }],
      isCut: false,
    });
    return [
      {
        ...{ type: 'pair', filter, place },
        pair: {
          row,
          ...(row.before && { before: side(`**${row.before.words}**`) }),
          ...(row.after && { after: side(`**${row.after.words}**`) }),
        },
      },
    ];
  }
  return [];
}
