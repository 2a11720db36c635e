import type { Locator } from 'playwright-core';
import type {
  ComparedPairView,
  ComparisonHead,
  ComparisonRow,
  FromPairs,
  PairsState,
  ToComparison,
} from '../../src/shared/comparison/comparisonProtocol';
import { type PageOptions, WebviewPage } from './webviewPage';

const head: ComparisonHead = {
  of: 'sessions',
  title: 'Mend the test · v3 and Mend the test · v5',
  summary: 'Differences: 1,200, first in turn 1',
  differences: ['Calls only in B: 2', 'Calls with different arguments: 3', 'Different answers: 1'],
  runs: [
    { name: 'Mend the test · v3', facts: ['Coder v3', 'vendor-sonnet-5', 'Idle', 'Nov 21, 2026, 9:03:00 PM', 'Lab'] },
    { name: 'Mend the test · v5', facts: ['Coder v5', 'vendor-sonnet-5', 'Running', 'Nov 21, 2026, 9:04:00 PM', 'Lab'] },
  ],
  numbers: [
    { name: 'Calls', before: '4', after: '6 (+2)' },
    { name: 'Tokens', before: '12,000', after: '13,200 (+1,200)' },
  ],
  notices: ['B: still running (as of 9:05:00 PM).'],
  details: ['Turns are paired in order by what the user said.'],
  acts: [
    { act: 'difference', label: 'Show Transcripts in Diff Editor' },
    { act: 'refresh', label: 'Refresh' },
  ],
  filtersLabel: 'Select a filter',
  filters: filters(1200, 1, 5, 1, 0, 40_000),
  tableLabel: 'Turns of both sessions',
  columns: ['Turn', 'What', 'Differences', 'A', 'B'],
  empty: 'Nothing to show',
  pairLabel: 'Both sessions',
};

/** Returns the filters with these numbers of pairs. */
export function filters(...counts: readonly number[]): ComparisonHead['filters'] {
  const labels = ['Differences', 'Turns', 'Calls', 'Answers', 'Others', 'All Steps'];
  return ['differs', 'turns', 'calls', 'answers', 'others', 'all'].map((id, at) => ({
    id,
    label: labels[at] ?? '',
    count: counts[at] ?? 0,
  }));
}

/** Returns a row as the host builds it. */
function sessionRowAt(place: number): ComparisonRow {
  const row = (isTurn: boolean, kind: string, ...words: readonly [what: string, change: string, before: string, after: string]) => ({
    isTurn,
    cells: ['1', ...words].map((text, column) => ({
      words: text,
      className: text === 'nothing' ? 'isComing' : column === 2 ? `kind-${kind} words kind` : 'words',
    })),
  });
  return place === 0
    ? row(true, 'changed', 'Turn', 'calls +2, tokens +1,200', 'Calls 4', 'Calls 6')
    : place === 2
      ? row(false, 'added', 'read', 'Only in B', 'nothing', 'src/app.ts')
      : row(false, 'changed', 'bash', 'different arguments', `npm test ${place}`, `npm run test ${place}`);
}

/** A comparison of two sessions in a page of a real Chromium, with a host that responds to its messages. */
export class SessionComparisonPage extends WebviewPage<FromPairs, ToComparison, PairsState> {
  static async open(options: PageOptions<PairsState> = {}, change: Partial<ComparisonHead> = {}): Promise<SessionComparisonPage> {
    const page = new SessionComparisonPage();
    await page.start('comparison', options);
    await page.show(change);
    return page;
  }

  /** Sends a new snapshot of the sessions, as the host does after it has read them again. */
  async show(change: Partial<ComparisonHead>): Promise<void> {
    await this.post({
      type: 'snapshot',
      head: { ...head, ...change },
    });
    await this.serve();
  }

  /** Responds to the panel's messages until there are none. */
  async serve(): Promise<readonly FromPairs[]> {
    return await this.answerAll(toAnswer);
  }

  get grid(): Locator {
    return this.page.getByRole('grid');
  }
}

function toAnswer(message: FromPairs): readonly ToComparison[] {
  if (message.type === 'window') {
    const { filter, from } = message;
    const count = Math.max(0, Math.min(message.count, (head.filters.find(({ id }) => id === filter)?.count ?? 0) - from));
    return [{ type: 'rows', filter, from, rows: Array.from({ length: count }, (_, at) => sessionRowAt(from + at)) }];
  }
  if (message.type === 'open') {
    const { filter, place } = message;
    const [, what, change, before, after] = sessionRowAt(place).cells;
    const name = place === 0 ? 'Turn 1' : `Turn 1: ${what?.words}`;
    const side = (text: string) => ({
      facts: [{ name: 'State', value: 'done' }],
      parts: [
        { form: 'code' as const, title: 'Arguments', text },
        { form: 'code' as const, title: 'Result', text: 'ok' },
      ],
      isCut: false,
    });
    const isMissing = before?.className === 'isComing';
    const pair: ComparedPairView = {
      ...{ name, label: `Both sessions, ${name}` },
      ...(change && { change }),
      links: [
        { act: 'difference', label: 'Show Difference' },
        ...(isMissing ? [] : [{ act: 'before', label: 'Open in Session A' }]),
        { act: 'after', label: 'Open in Session B' },
      ],
      ...(!isMissing && { before: side(before?.words ?? '') }),
      after: side(after?.words ?? ''),
    };
    return [{ type: 'pair', filter, place, pair }];
  }
  return [];
}
