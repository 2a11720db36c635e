import type { Locator } from 'playwright-core';
import type {
  FromSessionComparison,
  SessionComparisonHead,
  SessionComparisonRow,
  SessionComparisonState,
  ToSessionComparison,
} from '../../src/shared/comparison/comparisonProtocol';
import { type PageOptions, WebviewPage } from './webviewPage';

export const head: SessionComparisonHead = {
  title: 'Mend the test · v3 and Mend the test · v5',
  summary: 'Differences: 1,200, first in turn 1',
  differences: ['Calls only in B: 2', 'Calls with different arguments: 3', 'Different answers: 1'],
  sessions: [
    { name: 'Mend the test · v3', facts: ['Coder v3', 'vendor-sonnet-5', 'Idle', 'Nov 21, 2026, 9:03:00 PM', 'Lab'] },
    { name: 'Mend the test · v5', facts: ['Coder v5', 'vendor-sonnet-5', 'Running', 'Nov 21, 2026, 9:04:00 PM', 'Lab'] },
  ],
  numbers: [
    { name: 'Calls', before: '4', after: '6 (+2)' },
    { name: 'Tokens', before: '12,000', after: '13,200 (+1,200)' },
  ],
  notices: ['B: still running (as of 9:05:00 PM).'],
  method: 'Turns are paired in order by what the user said.',
  counts: { differs: 1200, turns: 1, calls: 5, answers: 1, others: 0, all: 40_000 },
};

/** Returns a row as the host builds it. */
export function sessionRowAt(place: number): SessionComparisonRow {
  if (place === 0) {
    return {
      turn: '1',
      isTurn: true,
      what: 'Turn',
      kind: 'changed',
      change: 'calls +2, tokens +1,200',
      before: 'Calls 4',
      after: 'Calls 6',
    };
  }
  if (place === 2) {
    return { turn: '1', isTurn: false, what: 'read', kind: 'added', change: 'Only in B', after: 'src/app.ts' };
  }
  const [before, after] = [`npm test ${place}`, `npm run test ${place}`];
  return { turn: '1', isTurn: false, what: 'bash', kind: 'changed', change: 'different arguments', before, after };
}

/** A comparison of two sessions in a page of a real Chromium, with a host that responds to its messages. */
export class SessionComparisonPage extends WebviewPage<FromSessionComparison, ToSessionComparison, SessionComparisonState> {
  static async open(
    options: PageOptions<SessionComparisonState> = {},
    change: Partial<SessionComparisonHead> = {},
  ): Promise<SessionComparisonPage> {
    const page = new SessionComparisonPage();
    await page.start('comparison', { ...options, fromHost: { of: 'sessions' } });
    await page.show(change);
    return page;
  }

  /** Sends the sessions as after another read. */
  async show(change: Partial<SessionComparisonHead>): Promise<void> {
    await this.post({
      type: 'snapshot',
      head: { ...head, ...change },
    });
    await this.serve();
  }

  /** Responds to the panel's messages until there are none. */
  async serve(): Promise<readonly FromSessionComparison[]> {
    return await this.answerAll(toAnswer);
  }

  get grid(): Locator {
    return this.page.getByRole('grid');
  }
}

function toAnswer(message: FromSessionComparison): readonly ToSessionComparison[] {
  if (message.type === 'window') {
    const { filter, from } = message;
    const count = Math.max(0, Math.min(message.count, head.counts[filter] - from));
    return [{ type: 'rows', filter, from, rows: Array.from({ length: count }, (_, at) => sessionRowAt(from + at)) }];
  }
  if (message.type === 'open') {
    const { filter, place } = message;
    const row = sessionRowAt(place);
    const side = (text: string) => ({
      facts: [{ name: 'State', value: 'done' }],
      parts: [
        { form: 'code' as const, title: 'Arguments', text },
        { form: 'code' as const, title: 'Result', text: 'ok' },
      ],
      isCut: false,
    });
    const pair = { row, ...(row.before && { before: side(row.before) }), ...(row.after && { after: side(row.after) }) };
    return [{ type: 'pair', filter, place, pair }];
  }
  return [];
}
