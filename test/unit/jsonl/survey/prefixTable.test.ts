import assert from 'node:assert/strict';
import { choosePrefixes } from '../../../../src/jsonl/survey/choosePrefixes';
import { PrefixTable } from '../../../../src/jsonl/survey/prefixTable';
import { PromptReader } from '../../../../src/jsonl/survey/promptReader';
import { requestOf } from './surveyTexts';

const nobody = { text: () => {}, secret: () => {} };

describe('jsonl/survey/prefixTable', () => {
  const reader = new PromptReader();
  function add(table: PrefixTable, line: number, request: string): void {
    reader.bytes = Buffer.from(`${request}\n`);
    assert.ok(reader.read(0, nobody) > 0);
    table.add(reader, line, 0);
  }
  /** Three blocks, two of which are this request's own. */
  const request = (system: string, index: number) =>
    requestOf(
      [
        { type: 'text', text: `first ${index}` },
        { type: 'text', text: `second ${index}` },
      ],
      { system },
    );

  it('holds no more nodes than it may, and keeps those that many share', () => {
    const table = new PrefixTable(1, 1000);
    for (let index = 0; index < 20_000; index++) {
      add(table, index, request(index % 4 === 0 ? 'shared by a quarter' : `own ${index}`, index));
      assert.ok(table.size <= 1000);
    }
    assert.equal(table.isExact, false);
    const [first, ...others] = choosePrefixes(table, 20).map(({ node }) => node);
    assert.deepEqual([first?.requests, first?.firstLine, first?.path, others.length], [5000, 0, ['params', 'system'], 0]);
  });

  it('lets go of pairs too when there is nothing else to let go, and still ends', () => {
    const table = new PrefixTable(1, 100);
    for (let index = 0; index < 2000; index++) {
      for (let times = 0; times < 2 + (index % 3); times++) {
        add(table, index, request(`group ${index}`, index));
      }
      add(table, index, request('shared by all', index));
    }
    assert.ok(table.size <= 100);
    const [first] = choosePrefixes(table, 1).map(({ node }) => node);
    assert.deepEqual([first?.requests, first?.path], [2000, ['params', 'system']]);
  });

  it('is exact while everything has its place', () => {
    const table = new PrefixTable(1, 1 << 12);
    for (let index = 0; index < 1000; index++) {
      add(table, index, request('shared', index >> 1));
    }
    assert.deepEqual([table.isExact, table.size], [true, 1001]);
  });

  it('tells a thousand blocks of a prompt apart, and counts the tokens of the rest', () => {
    const blocks = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'text', text: `word${index}` }));
    const table = new PrefixTable(1);
    add(table, 0, requestOf(blocks(3000), { cache_control: { type: 'ephemeral' } }));
    assert.equal(table.size, 1024);
    assert.equal(reader.lastCacheable, -1);
    const long = reader.tokens.reduce((sum, tokens) => sum + tokens, 0);
    add(table, 1, requestOf(blocks(1500)));
    const short = reader.tokens.reduce((sum, tokens) => sum + tokens, 0);
    assert.ok(long > short * 1.9 && long < short * 2.2, `${long} and ${short}`);
  });
});
