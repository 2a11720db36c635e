import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../../src/client/resources/messageBatches';
import { findPart } from '../../../../src/features/batches/chooseRun';
import { cancelRun, deleteRun, deletionOf, type EndDependencies } from '../../../../src/features/batches/endRun';
import { toRuns } from '../../../../src/features/ledger/runs';
import type { Submission } from '../../../../src/features/ledger/submission';
import { MemoryRegistry } from '../../../helpers/memoryRegistry';
import { fillPlaceholders as t } from '../requests/fillPlaceholders';
import { failure } from '../sessions/panel/sessionUnderTest';
import { resultsAt, submissionOf } from './fileRuns/submissionOf';

const running = { processing_status: 'in_progress' } as MessageBatch;

describe('features/batches/endRun', () => {
  const { showWarningMessage } = vscode.window;
  /** Log of calls to the service, changes of the list and deletions on this machine. */
  let done: string[];
  let asked: { readonly question: string; readonly detail: string; readonly buttons: readonly string[] }[];
  let answer: string | undefined;
  let refuse: ((batchId: string) => Error | undefined) | undefined;
  let registry: MemoryRegistry;

  beforeEach(() => {
    done = [];
    asked = [];
    refuse = undefined;
    vscode.window.showWarningMessage = (async (question: string, { detail = '' }, ...buttons: (string | vscode.MessageItem)[]) => {
      const titles = buttons.map(button => (typeof button === 'string' ? button : button.title));
      asked.push({ question, detail, buttons: titles });
      return buttons[titles.indexOf(answer ?? '')];
    }) as unknown as typeof showWarningMessage;
  });

  afterEach(() => {
    vscode.window.showWarningMessage = showWarningMessage;
  });

  function depsOf(...submissions: readonly Submission[]): EndDependencies {
    registry = new MemoryRegistry(submissions);
    const call = (what: string) => async (id: string) => {
      done.push(`${what} ${id}`);
      const error = refuse?.(id);
      if (error !== undefined) {
        throw error;
      }
      return { data: { ...running, id, processing_status: 'canceling' } };
    };
    const connection = { name: 'Work', baseUrl: 'https://work.test' };
    return {
      registry: Object.assign(registry, { remove: async (ids: readonly string[]) => done.push(`forget ${ids.join(' ')}`) }),
      connections: {
        ...{ whenKnown: Promise.resolve(), state: 'ready', current: connection, find: () => connection },
        client: async () => ({ batches: { cancel: call('cancel'), delete: call('delete') } }),
      },
      store: { put: () => undefined, remove: (_: string, id: string) => done.push(`unlist ${id}`) },
      refresh: async () => {},
      lifetime: new AbortController().signal,
      log: { error: () => undefined },
    } as unknown as EndDependencies;
  }

  const part = (index: number, more: Partial<Submission> = {}) =>
    submissionOf(`${index + 1}`, { group: { id: 'g', index, count: 2 }, batch: running, ...more });
  const run = async (target: Parameters<typeof findPart>[1]) => await findPart(registry as never, target, t);

  it('cancels the running parts of a run, one part alone, and a batch created elsewhere', async () => {
    const deps = depsOf(part(0), part(1));
    answer = 'Cancel 2 Batches';
    await cancelRun(deps, await run({ runId: '1' }));
    assert.deepEqual(done, ['cancel b-1', 'cancel b-2']);
    assert.equal(asked[0]?.question, 'Cancel the run of evals.jsonl?');
    assert.match(asked[0]?.detail ?? '', /Connection: Work.*Batches: b-1, b-2/s);
    assert.deepEqual(
      registry.all().map(({ batch }) => batch?.processing_status),
      ['canceling', 'canceling'],
    );
    await assert.rejects(cancelRun(deps, await run({ runId: '1' })), /No batch of evals\.jsonl is running/);

    answer = 'Cancel Batch';
    done = [];
    const again = depsOf(part(0), part(1));
    await cancelRun(again, await run({ connection: 'Work', batchId: 'b-2' }));
    await cancelRun(again, await run({ connection: 'Work', batchId: 'elsewhere' }));
    assert.deepEqual(done, ['cancel b-2', 'cancel elsewhere']);
    assert.equal(asked.at(-1)?.question, 'Cancel batch elsewhere?');
  });

  it('does nothing unless the user agrees', async () => {
    const deps = depsOf(part(0), part(1));
    answer = undefined;
    await assert.rejects(cancelRun(deps, await run({ runId: '1' })), { name: 'CancelledError' });
    await assert.rejects(deleteRun(deps, await run({ runId: '1' })), { name: 'CancelledError' });
    assert.deepEqual(done, []);
  });

  it('deletes the batches from the service, or forgets the run with its derived runs', async () => {
    const follows = { runId: '1', purpose: 'retry' } as const;
    const deps = depsOf(submissionOf('1', { results: resultsAt('/1') }), submissionOf('2', { results: resultsAt('/2'), follows }));
    answer = 'Delete Batch';
    await deleteRun(deps, await run({ runId: '1' }));
    assert.deepEqual([done, registry.all()[0]?.deleted], [['delete b-1', 'unlist b-1'], true]);
    assert.deepEqual(asked[0]?.buttons, ['Delete Batch', 'Forget Run']);
    assert.match(asked[0]?.detail ?? '', /Files beside the request file are kept/);

    done = [];
    answer = 'Forget Run';
    await deleteRun(deps, await run({ runId: '1' }));
    assert.deepEqual(done, ['forget 2 1']);
    assert.deepEqual(asked.at(-1)?.buttons, ['Forget Run'], 'the batch is gone from the service');
  });

  it('forgets no run that may still cost money, and no single part of a run', async () => {
    depsOf(part(0), part(1));
    answer = undefined;
    const ask = async (...submissions: readonly Submission[]) => {
      const deps = depsOf(...submissions);
      await deleteRun(deps, await run({ runId: '1' })).catch(() => undefined);
      return asked.at(-1)?.buttons;
    };
    assert.deepEqual(await ask(part(0), part(1)), ['Delete 2 Batches']);
    const ended = { batch: submissionOf('1').batch as MessageBatch };
    assert.deepEqual(await ask(part(0, ended), part(1, ended)), ['Delete 2 Batches', 'Forget Run']);
    const deps = depsOf(part(0, ended), part(1, ended));
    await deleteRun(deps, await run({ connection: 'Work', batchId: 'b-1' })).catch(() => undefined);
    assert.deepEqual(asked.at(-1)?.buttons, ['Delete Batch']);
    assert.deepEqual(await ask(part(0, { results: resultsAt('/1') }), part(1, { state: 'sending', batchId: undefined as never })), [
      'Stop Sending and Delete Batches',
    ]);
  });

  it('records a batch as deleted only after the service deleted it', async () => {
    const deps = depsOf(submissionOf('1'));
    answer = 'Delete Batch';
    refuse = () => failure('not_found', 'refused', 404);
    await assert.rejects(
      deleteRun(deps, await run({ runId: '1' })),
      /Batch b-1 was not found\. It may have been deleted, or this key has no access/,
    );
    refuse = () => failure('api', 'refused', 500);
    await assert.rejects(deleteRun(deps, await run({ runId: '1' })), /lab answered 500/);
    assert.deepEqual([done, registry.all()[0]?.deleted], [['delete b-1', 'unlist b-1', 'delete b-1'], undefined]);
  });

  it('continues after a failed part, and names it', async () => {
    const deps = depsOf(part(0), part(1));
    answer = 'Cancel 2 Batches';
    refuse = id => (id === 'b-1' ? failure('api', 'refused', 500) : undefined);
    await cancelRun(deps, await run({ runId: '1' }));
    await Promise.resolve();
    assert.deepEqual(done, ['cancel b-1', 'cancel b-2']);
    assert.match(asked.at(-1)?.question ?? '', /^Couldn't cancel 1 batch of evals\.jsonl\. Part 1: lab answered 500/);
  });
});

describe('features/batches/endRun deletionOf', () => {
  const first = submissionOf('1', { results: resultsAt('/1') });
  const retry = submissionOf('2', {
    source: 'file:///evals.retry.jsonl',
    follows: { runId: '1', purpose: 'retry' },
    results: resultsAt('/2'),
  });
  const again = submissionOf('3', { results: resultsAt('/3') });

  const delete_ = (all: readonly ReturnType<typeof submissionOf>[], id: string) => {
    const run = toRuns(all).find(one => one.id === id);
    assert.ok(run);
    return deletionOf(all, run);
  };

  it('forgets derived runs before the run itself, and names a run that stays', () => {
    const deletion = delete_([first, retry, again], '1');
    assert.deepEqual(deletion, { submissionIds: ['2', '1'], root: undefined });
    const ofRetry = delete_([first, retry, again], '2');
    assert.deepEqual([ofRetry?.submissionIds, ofRetry?.root?.id], [['2'], '1']);
  });

  it('deletes every part of a group, also one that was resent', () => {
    const part = (id: string, index: number, more = {}) => submissionOf(id, { group: { id: 'g', index, count: 2 }, ...more });
    const failed = part('2', 1, { state: 'failed', batchId: undefined });
    const deletion = delete_([part('1', 0, { groupResults: resultsAt('/g') }), failed, part('3', 1)], '1');
    assert.deepEqual(deletion?.submissionIds, ['3', '2', '1']);
  });

  it('keeps runs in progress or of unknown outcome, with their derived runs', () => {
    const running = { ...retry, results: undefined, batch: { ...retry.batch, processing_status: 'in_progress' } } as typeof retry;
    assert.equal(delete_([first, running], '1'), undefined);
    assert.ok(delete_([first, { ...running, deleted: true }], '1'));
    for (const state of ['unknown', 'sending'] as const) {
      assert.equal(delete_([{ ...first, state }], '1'), undefined, state);
    }
  });
});
