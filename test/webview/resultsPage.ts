import type { Locator } from 'playwright-core';
import { knownColumns, titleOf } from '../../src/features/results/table/tableColumns';
import { type ResultStatus, resultStatuses } from '../../src/shared/results/resultStatus';
import type {
  FromWebview,
  ResultPair,
  ResultRow,
  ResultsHead,
  ResultsState,
  TableColumn,
  ToWebview,
} from '../../src/shared/results/resultsProtocol';
import { type PageOptions, WebviewPage } from './webviewPage';

export const head: ResultsHead = {
  title: 'requests.jsonl',
  facts: ['$0.0465'],
  details: 'Lab\nmsgbatch_01\nfetched Nov 21, 2026, 9:03:00 PM',
  chips: [
    { label: 'All', query: '', count: 200 },
    { label: 'Succeeded', query: 'status=succeeded', count: 144 },
    { label: 'Cut short', query: 'status=cut_short', count: 44 },
    { label: 'Failed', query: 'status=failed', count: 12 },
  ],
  notices: [],
  isReady: true,
  acts: ['export', 'compare', 'more'],
};

/** Returns columns with the host's names. */
export function columnsOf(...names: readonly TableColumn['name'][]): readonly TableColumn[] {
  return names.map(name => ({ name, title: titleOf(name, text => text) }));
}

export const usualNames = knownColumns.slice(0, 3);

/** Returns a row as the host builds it. */
export function rowAt(place: number, change: Partial<ResultRow> = {}): ResultRow {
  const mark = resultStatuses[place % 9 === 0 ? (place / 9) % resultStatuses.length : 0] as ResultStatus;
  const isAnswer = mark === 'succeeded' || mark === 'cut_short' || mark === 'refused';
  return {
    id: `question-${place + 1}`,
    line: place + 1,
    mark,
    reason: isAnswer
      ? mark === 'cut_short'
        ? 'max_tokens'
        : mark === 'refused'
          ? 'refusal'
          : 'end_turn'
      : mark === 'failed'
        ? 'overloaded_error'
        : '',
    inputTokens: isAnswer ? 120 + (place % 50) : 0,
    outputTokens: isAnswer ? (place * 37) % 4000 : 0,
    words: isAnswer ? `Answer ${place + 1}: the quick brown fox jumps over the lazy dog and then rests in the shade of a tree.` : '',
    ...change,
  };
}

export function pairAt(place: number, change: Partial<ResultPair> = {}): ResultPair {
  return {
    customId: `question-${place + 1}`,
    row: rowAt(place),
    request: {
      facts: [
        { name: 'Model', value: 'vendor-sonnet-5' },
        { name: 'max_tokens', value: '1,024' },
      ],
      parts: [
        { form: 'plain', title: 'System prompt', text: 'You are brief.', isFolded: true },
        { form: 'markdown', text: 'What does the fox jump over?' },
        { form: 'code', title: 'Request as JSON', text: '{\n  "model": "vendor-sonnet-5"\n}', isFolded: true },
      ],
      isCut: false,
    },
    answer: {
      facts: [
        { name: 'Stop reason', value: 'end_turn' },
        { name: 'Output tokens', value: '37' },
      ],
      parts: [
        { form: 'plain', title: 'Thinking', text: 'Foxes jump.', isFolded: true },
        {
          form: 'markdown',
          text: `**Answer ${place + 1}**: the fox jumps over\n\n- the lazy dog,\n- \`nothing\` else.\n\n<b>raw</b> [link](https://example.com/)\n\n\`\`\`js\nconst fox = jump(dog);\n\`\`\``,
        },
      ],
      isCut: false,
    },
    history: [],
    canGoToLine: true,
    ...change,
  };
}

type Arrange = Extract<FromWebview, { type: 'arrange' }>;

/** The results panel in a page of a real Chromium, with a host that responds to its messages. */
export class ResultsPage extends WebviewPage<FromWebview, ToWebview, ResultsState> {
  /** Revision of the current rows. */
  revision = 0;
  /** Values of each row in additional columns. */
  values: ResultRow['values'];

  static async open(options: PageOptions<ResultsState> = {}): Promise<ResultsPage> {
    const page = new ResultsPage();
    await page.start('results', { fromHost: { runId: 'r1' }, ...options });
    return page;
  }

  /** Shows this number of rows. */
  async show(count: number, change: Partial<ResultsHead> = {}, data = 0, columns = columnsOf(...usualNames)): Promise<void> {
    await this.post({ type: 'snapshot', head: { ...head, ...change }, columns, data });
    await this.serve(count);
  }

  /** Responds to the panel's messages until there are none. `count` of `all` rows match a query. */
  async serve(count: number, all = count): Promise<readonly FromWebview[]> {
    return await this.answerAll(message => this.answer(message, count, all));
  }

  get grid(): Locator {
    return this.page.getByRole('grid');
  }

  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  private answer(message: FromWebview, count: number, all: number): readonly ToWebview[] {
    switch (message.type) {
      case 'arrange':
        return [this.arranged(message, count, all)];
      case 'window':
        return message.revision === this.revision
          ? [
              {
                ...{ type: 'rows', revision: message.revision, from: message.from },
                rows: Array.from({ length: Math.max(0, Math.min(message.count, all - message.from)) }, (_, at) =>
                  rowAt(message.from + at, this.values && { values: this.values }),
                ),
              },
            ]
          : [];
      case 'open':
        return [{ type: 'pair', revision: message.revision, place: message.place, pair: pairAt(message.place) }];
      default:
        return [];
    }
  }

  private arranged({ request, query, keep }: Arrange, filtered: number, all: number): ToWebview {
    const count = query === '' ? all : filtered;
    const place = keep === undefined ? -1 : Number(/\d+$/.exec(keep)?.[0]) - 1;
    return {
      ...{ type: 'arranged', request, query, revision: ++this.revision, count, all, inputTokens: 120_000, outputTokens: 45_000 },
      ...(place >= 0 && place < count && { place }),
    };
  }
}
