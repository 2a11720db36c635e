import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeWholeFiles } from '../../../../src/jsonl/files/blockWriter';
import { type Column, ColumnReader, writeColumnFile } from '../../../../src/jsonl/files/columnFile';
import { statusOf } from '../../../../src/jsonl/results/resultStatus';
import { ResultsIndex } from '../../../../src/jsonl/results/resultsIndex';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';
import { reviewCount, statusCounts } from '../../../../src/jsonl/results/resultsReport';
import { describeFacts } from '../../../../src/jsonl/results/resultsSummary';
import { quiet, succeeded } from '../querying/joinedFile';

describe('jsonl/results/resultStatus', () => {
  let folder: string;
  const file = (name: string) => path.join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'result-status-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function join(raw: Uint8Array | string) {
    await writeFile(file('raw'), raw);
    const { report } = await joinResults({ rawPath: file('raw'), joinedPath: file('joined'), indexPath: file('index') }, quiet);
    const index = await ResultsIndex.open(file('index'), file('joined'));
    return { report, statuses: Object.fromEntries([...index.entries()].map(({ customId, status }) => [customId, status])) };
  }

  const linesOf = (...results: readonly (readonly [id: string, result: object])[]) =>
    results.map(([id, result]) => `${JSON.stringify({ custom_id: id, result })}\n`).join('');

  it('treats answers without a word as empty', async () => {
    const { report, statuses } = await join(readFileSync('test/fixtures/results/empty.results.jsonl'));
    assert.deepEqual(statuses, {
      ...{ 'e-none': 'empty', 'e-blank': 'empty', 'e-think': 'empty', 'e-space': 'empty' },
      ...{ 'e-good': 'succeeded', 'e-zero': 'empty' },
    });
    assert.deepEqual([statusCounts(report).succeeded, statusCounts(report).empty, reviewCount(report)], [1, 5, 5]);
    const words = { translate: (text: string, ...args: (string | number)[]) => text.replace('{0}', String(args[0])), locale: 'en' };
    assert.equal(describeFacts(report, words), '1 succeeded, 5 empty');
  });

  it('accepts a tool call, another text and any visible character as an answer', async () => {
    const content = (...blocks: readonly object[]) => succeeded('', { more: { content: blocks } });
    const { statuses } = await join(
      linesOf(
        ['tool', content({ type: 'tool_use', input: {} })],
        ['called', succeeded('', { stop: 'tool_use', more: { content: [] } })],
        ['second', content({ type: 'text', text: ' ' }, { type: 'text', text: 'x' })],
        ['thought', content({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'x' })],
        ['own', content({ type: 'new_block', x: 1 })],
        ['kana', succeeded('こ')],
        ['quote', succeeded('"')],
        ['escaped', succeeded('\n\tx')],
        ['wide', succeeded('\u3000\u00a0')],
        ['hidden', content({ type: 'redacted_thinking', data: 'x' }, { type: 'text', text: '\n' })],
      ),
    );
    const empty = Object.entries(statuses).flatMap(([id, status]) => (status === 'succeeded' ? [] : [`${id} ${status}`]));
    assert.deepEqual(empty, ['wide empty', 'hidden empty']);
  });

  it('decides by type and stop reason first', () => {
    const of = (type: string | undefined, stopReason?: string) => statusOf(type, stopReason, () => true);
    assert.deepEqual(
      [of('succeeded', 'max_tokens'), of('succeeded', 'refusal'), of('succeeded', 'pause_turn'), of('succeeded', 'end_turn')],
      ['cut_short', 'refused', 'cut_short', 'empty'],
    );
    assert.deepEqual(
      [of('errored'), of('canceled'), of('expired'), of('new'), of(undefined)],
      ['failed', 'canceled', 'expired', 'other', 'other'],
    );
  });

  it('reads an older index as far as it goes', async () => {
    await join(
      linesOf(
        ['a', succeeded('x')],
        ['b', succeeded('x', { stop: 'max_tokens' })],
        ['c', succeeded('', { more: { content: [] } })],
        ['d', { type: 'errored', error: { type: 'api_error', message: 'x' } }],
      ),
    );
    const now = new ColumnReader(await readFile(file('index')), Buffer.from('MARESIX1'));
    const old = ['lengths', 'ids', 'stopReasons', 'errorTypes', 'inputTokens', 'outputTokens', 'texts', 'rowOfId', 'idEnds'] as const;
    const columns: readonly Column[] = [
      ['offsets', now.doubles('offsets')],
      ...old.map(name => [name, now.words(name)] as const),
      ['states', Uint8Array.of(0, 0, 0, 1)],
      ['lines', now.signed('lines')],
      ['idBytes', now.column('idBytes')],
      ['idSlots', now.signed('idSlots')],
    ];
    await writeWholeFiles({ throwIfAborted: () => {} }, async files =>
      writeColumnFile(await files.create(file('old')), Buffer.from('MARESIX1'), { ...(now.header as object), version: 1 }, columns),
    );
    const index = await ResultsIndex.open(file('old'), file('joined'));
    assert.deepEqual(
      [...index.entries()].map(({ status }) => status),
      ['succeeded', 'cut_short', 'empty', 'failed'],
    );
  });
});
