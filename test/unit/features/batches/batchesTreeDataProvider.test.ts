import assert from 'node:assert/strict';
import manifest from '../../../../package.json';
import type { TreeNode } from '../../../../src/common/tree/treeNode';
import { createBatchesTree } from '../../../../src/features/batches/batchesView';
import { type BatchRow, BatchStore } from '../../../../src/features/batches/batchStore';
import type { Submission } from '../../../../src/features/ledger/submission';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';
import { batch, context } from './batchUnderTest';
import { resultsAt, submissionOf } from './fileRuns/submissionOf';

const withoutBatch = { batchId: undefined, batch: undefined } as const;
const run = (id: string, more: Partial<Submission> = {}) =>
  submissionOf(id, { batch: batch('ended', { succeeded: 9, errored: 3 }, { results_url: '/x' }), ...more });
const unknown = run('1', { state: 'unknown', ...withoutBatch });
const part = (index: number, more: Partial<Submission> = {}) => run(`${index + 5}`, { group: { id: 'g', index, count: 3 }, ...more });
const selection = { purpose: 'canary' as const, firstLine: 0, lastLine: 9, digest: 'd', total: 202 };
const trial = run('2', { selection, results: resultsAt('/2') });

function treeOf(submissions: readonly Submission[], others: readonly string[] = [], nextCursor?: string) {
  const registry = new MemoryRegistry(submissions);
  const store = new BatchStore(registry);
  store.reset('Work');
  store.acceptFirstPage('Work', {
    items: others.map(id => batch('ended', { succeeded: 1 }, { id })),
    nextCursor,
    requestId: undefined,
  });
  return createBatchesTree(
    store,
    () => context,
    async () => 'hover',
  );
}

/** Returns all nodes of a tree, expanded. */
function nodesOf(...given: Parameters<typeof treeOf>): readonly TreeNode<BatchRow>[] {
  const tree = treeOf(...given);
  const below = (node?: TreeNode<BatchRow>): readonly TreeNode<BatchRow>[] => tree.getChildren(node).flatMap(one => [one, ...below(one)]);
  return below();
}
const only = (...submissions: readonly Submission[]) => nodesOf(submissions)[0] ?? assert.fail();

describe('features/batches/batchesTreeDataProvider', () => {
  it('expands a file with several runs and other batches, and keeps the key of a row when rows are added', () => {
    const nodes = nodesOf([run('1'), run('2'), run('3', { source: 'file:///b.jsonl' })], ['x', 'y'], 'after');
    assert.deepEqual(
      nodes.map(({ key, parent, item }) => [key, parent?.key, item.collapsibleState]),
      [
        ['file file:///b.jsonl', undefined, 0],
        ['file file:///evals.jsonl', undefined, 1],
        ['run 2', 'file file:///evals.jsonl', 0],
        ['run 1', 'file file:///evals.jsonl', 0],
        ['others', undefined, 1],
        ['run x', 'others', 0],
        ['run y', 'others', 0],
        ['more', 'others', 0],
      ],
    );
    assert.equal(only(run('1')).key, 'file file:///evals.jsonl');
    assert.equal(nodesOf([], ['x'])[0]?.item.collapsibleState, 2, 'Nothing else is there.');
  });

  it('passes the batch of a run or all its batches to commands, and the file for a row of the whole file', () => {
    const reference = { connection: 'Work', batchId: 'b-1' };
    const source = 'file:///evals.jsonl';
    assert.deepEqual(only(run('1')).target, { ...reference, source });
    assert.deepEqual(only(run('1'), run('2')).target, { connection: 'Work', batchId: 'b-2', source });
    assert.deepEqual(nodesOf([run('1'), run('2')])[2]?.target, reference);
    assert.deepEqual(only(part(0, withoutBatch), part(1)).target, { connection: 'Work', batchId: 'b-6', runId: '5', source });
    assert.deepEqual(nodesOf([], ['x'])[1]?.target, { connection: 'Work', batchId: 'x' });
  });

  it('reveals an unknown submission, also from the row of its file', () => {
    for (const row of [only(unknown), only(unknown, run('2')), only(part(0), part(1, { state: 'unknown', ...withoutBatch }))]) {
      assert.match(row.item.contextValue ?? '', /\bunresolved\b/);
      assert.ok('submissionId' in (row.target ?? {}), row.key);
    }
    assert.equal(only(unknown).item.command?.command, 'managedAgents.submission.resolve');
    assert.deepEqual(only(run('1', { ...unknown, startedAt: '2026-01-01T00:00:00Z' }), run('2')).target, {
      ...{ connection: 'Work', batchId: 'b-2', source: 'file:///evals.jsonl' },
      submissionId: '1',
    });
    const abandoned = only(run('1', { state: 'abandoned', ...withoutBatch }));
    assert.match(abandoned.item.contextValue ?? '', /\bforgettable\b/);
    assert.ok('submissionId' in (abandoned.target ?? {}));
  });

  it('opens the results after they were fetched, and the batch before', () => {
    const commandOf = (node: TreeNode<BatchRow>) => [node.item.command?.command, node.item.command?.arguments];
    const reference = { connection: 'Work', batchId: 'b-1' };
    assert.deepEqual(commandOf(only(run('1'))), ['managedAgents.batch.open', [reference]]);
    assert.deepEqual(commandOf(only(run('1', { results: resultsAt('/1') }))), ['managedAgents.results.show', [reference]]);
    assert.deepEqual(commandOf(only(run('1'), run('2'))), [undefined, undefined], 'A click unfolds it.');
    assert.deepEqual(commandOf(only(run('1', { state: 'sending', ...withoutBatch }))), [undefined, undefined]);
  });

  describe('menus of rows', () => {
    const entries = manifest.contributes.menus['view/item/context'].filter(({ when }) => when.startsWith('view == managedAgents.batches '));
    const patternOf = (when: string) => new RegExp(/=~ \/(.*)\/$/.exec(when)?.[1] ?? assert.fail(when));
    const results = resultsAt('/r');
    const open = { state: 'unknown', ...withoutBatch } as const;
    const running = { batch: batch('in_progress', { processing: 1 }) };
    const rows = [
      [run('1')],
      [run('1', { results })],
      [run('1', running), run('2', { results })],
      [run('1', { deleted: true, results })],
      [trial],
      [trial, run('1', { results })],
      [unknown],
      [run('1', { state: 'failed', ...withoutBatch })],
      [run('1', { state: 'failed', ...withoutBatch }), run('2', { results })],
      [part(0, { groupResults: results }), part(1), part(2)],
      [part(0, { groupResults: results }), part(1)],
      [part(0, { groupResults: results }), part(1), part(2, open)],
      [part(0, running), part(1, open)],
    ].flatMap(submissions => nodesOf(submissions, ['x']));
    const wordsOf = ({ item }: TreeNode<BatchRow>) => item.contextValue ?? '';
    const menuOf = (node: TreeNode<BatchRow>, isInline: boolean) =>
      entries.filter(({ when, group }) => group.startsWith('inline') === isInline && patternOf(when).test(wordsOf(node)));

    it('have at most 8 entries, each once, and at most 2 buttons', () => {
      for (const row of rows) {
        const commands = menuOf(row, false).map(({ command }) => command);
        assert.ok(commands.length <= 8, `${wordsOf(row)}: ${commands.join(' ')}`);
        assert.equal(new Set(commands).size, commands.length);
        assert.ok(menuOf(row, true).length <= 2, wordsOf(row));
      }
    });

    it('start with the next action', () => {
      const first = (...submissions: readonly Submission[]) => menuOf(only(...submissions), true)[0]?.command.replace('managedAgents.', '');
      assert.equal(first(unknown), 'submission.resolve');
      assert.equal(first(run('1', running)), 'batch.cancel');
      assert.equal(first(run('1')), 'batch.fetchResults');
      assert.equal(first(run('1', { results })), 'retry.plan');
      assert.equal(first(trial), 'batch.create');
      assert.equal(first(part(0), part(1)), 'group.resume');
    });

    it('use exactly the context values that rows have', () => {
      const asked = new Set(entries.flatMap(({ when }) => patternOf(when).source.replaceAll('\\b', ' ').match(/\w+/g) ?? []));
      const said = new Set(rows.flatMap(row => wordsOf(row).split(' ')).filter(word => word !== ''));
      assert.deepEqual([...asked].sort(), [...said].sort());
    });
  });
});
