import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MessageBatch } from '../../../../../src/client/resources/messageBatches';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import type { CallResult } from '../../../../../src/client/transport/callResult';
import { type RequestOutcome, ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import type { StreamedBody } from '../../../../../src/contract/streamedBody';
import { type SubmitOutcome, type SubmitRequest, submit } from '../../../../../src/features/batches/submitting/submit';
import { type Submission, toSelection } from '../../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import type { BatchFileReport } from '../../../../../src/jsonl/checking/batchFileReport';
import { fieldOf } from '../../../../helpers/fieldOf';
import { recordOf, useLedger } from '../../ledger/ledgerOfTest';
import { batch as batchOf } from '../batchUnderTest';
import { report as sheetReport } from '../sheet/sheetUnderTest';

const firstId = '11111111-1111-4111-8111-111111111111';
const secondId = '22222222-2222-4222-8222-222222222222';
const batch = batchOf('in_progress', { processing: 2 });
const report: BatchFileReport = {
  ...sheetReport,
  ...{ fileBytes: 20, sha256: 'cd'.repeat(32), lineCount: 2, requestCount: 2, bodyBytes: 6, models: [['vendor-sonnet-5', 2]] },
};

function failure(kind: ServiceErrorKind, outcome: RequestOutcome, requestId?: string): ServiceError {
  return new ServiceError(`failed: ${kind}`, { kind, outcome, method: 'POST', host: 'h', path: '/v1/messages/batches', requestId });
}

const submissionOf = (id: string) =>
  recordOf({ id, source: 'file:///other.jsonl', state: 'unknown', startedAt: '2026-05-04T09:00:00.000Z' });

type Create = (body: StreamedBody, signal: AbortSignal, options: { readonly requestCount?: number }) => Promise<CallResult<MessageBatch>>;

async function readAll(body: StreamedBody, signal: AbortSignal, upTo = Number.POSITIVE_INFINITY): Promise<string> {
  let text = '';
  for await (const chunk of body.open(signal)) {
    text += Buffer.from(chunk).toString();
    if (text.length >= upTo) {
      break;
    }
  }
  return text;
}

const succeed: Create = async (body, signal) => {
  await readAll(body, signal);
  return { data: { ...batch, id: `msgbatch_${randomUUID()}` }, requestId: undefined };
};

describe('features/batches/submitting/submit', () => {
  const ledger = useLedger();
  let folder: string;
  let registry: SubmissionRegistry;
  let sent: number;
  let listed: readonly string[];

  beforeEach(() => {
    listed = ['msgbatch_3'];
    ({ folder } = ledger);
    registry = ledger.open(() => undefined);
    sent = 0;
  });

  async function run(create: Create, change: Partial<SubmitRequest> = {}, controller = new AbortController()): Promise<SubmitOutcome> {
    const client = {
      baseUrl: `http://127.0.0.1:${change.connection === 'Other' ? 4020 : 4010}/base`,
      batches: {
        create: (body: StreamedBody, options: { signal: AbortSignal; requestCount?: number }) => {
          sent++;
          return create(body, options.signal, options);
        },
      },
    } as unknown as ServiceClient;
    const request: SubmitRequest = {
      submissionId: firstId,
      connection: 'Lab',
      client,
      source: 'file:///requests.jsonl',
      path: '/requests.jsonl',
      fromEditor: false,
      report,
      knownBefore: new Set(),
      ...change,
    };
    return await submit(
      {
        registry,
        jobs: { requestBody: () => ({ byteLength: report.bodyBytes, open: pieces }) },
        log: { info: () => undefined, error: () => undefined },
        listedBatches: () => listed,
      },
      request,
      { signal: controller.signal },
    );
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('abc');
    yield Buffer.from('def');
  }

  const onDisk = (): Submission => JSON.parse(readFileSync(path.join(folder, firstId, 'submission.json'), 'utf8'));

  it('records the submission before the request is sent, and its batch before it settles', async () => {
    const outcome = await run(async (body, signal) => {
      assert.equal(onDisk().state, 'sending');
      assert.equal(await readAll(body, signal), 'abcdef');
      return { data: batch, requestId: 'req_1' };
    });
    assert.equal(outcome.kind, 'created');
    const { steps, startedAt, ...written } = onDisk();
    assert.ok(Math.abs(Date.parse(startedAt) - Date.now()) < 60_000);
    assert.deepEqual(fieldOf(steps, 'what'), ['written', 'uploading', 'handed_out', 'created']);
    assert.deepEqual(
      { ...written },
      {
        id: firstId,
        connection: 'Lab',
        origin: 'http://127.0.0.1:4010',
        source: 'file:///requests.jsonl',
        fileBytes: 20,
        sha256: report.sha256,
        requestCount: 2,
        bodyBytes: 6,
        models: [['vendor-sonnet-5', 2]],
        state: 'created',
        handedOut: true,
        batchId: 'msgbatch_1',
        requestId: 'req_1',
        batch,
      },
    );
    assert.equal(existsSync(path.join(folder, firstId, 'sending.lock')), false);
  });

  const cases: readonly (readonly [name: string, error: () => unknown, read: number, state: string, reason: string | undefined])[] = [
    ['a refusal after all bytes', () => failure('invalid_request', 'refused'), 6, 'failed', 'refused'],
    ['a refusal in the middle', () => failure('request_too_large', 'refused'), 3, 'failed', 'refused'],
    ['a connection that never stood', () => failure('connection_refused', 'not_sent'), 0, 'failed', 'not_sent'],
    ['a cut before the last byte', () => failure('connection_lost', 'unknown'), 3, 'failed', 'incomplete'],
    ["a gateway's 429 before the last byte", () => failure('rate_limit', 'unknown'), 3, 'failed', 'incomplete'],
    ["a gateway's 429 after the last byte", () => failure('rate_limit', 'unknown'), 6, 'unknown', undefined],
    ['a cut after the last byte', () => failure('connection_lost', 'unknown'), 6, 'unknown', undefined],
    ['a 500 after the last byte', () => failure('api', 'unknown'), 6, 'unknown', undefined],
    ['an answer that is no batch', () => failure('mismatch', 'unknown'), 6, 'unknown', undefined],
    ['an error of another kind after the last byte', () => new TypeError('broken'), 6, 'unknown', undefined],
  ];
  for (const [name, error, read, state, reason] of cases) {
    it(`settles ${name} as ${state}, and sends once`, async () => {
      const outcome = await run(async (body, signal) => {
        if (read > 0) {
          await readAll(body, signal, read);
        }
        throw error();
      });
      assert.equal(outcome.kind, state);
      assert.equal(outcome.kind === 'failed' ? outcome.reason : undefined, reason);
      assert.equal(onDisk().state, state);
      assert.equal(onDisk().problem, (error() as Error).message);
      assert.equal(sent, 1);
    });
  }

  it('accepts no batch whose response came before the whole body was sent', async () => {
    const outcome = await run(async (body, signal) => {
      await readAll(body, signal, 3);
      return { data: batch, requestId: 'req_1' };
    });
    assert.equal(outcome.kind, 'unknown');
    assert.match(onDisk().problem ?? '', /before the whole body had left/);
  });

  it('is canceled when the user cancels before the last byte, and unknown afterwards', async () => {
    for (const [read, state] of [
      [3, 'failed'],
      [6, 'unknown'],
    ] as const) {
      const controller = new AbortController();
      const outcome = await run(
        async (body, signal) => {
          await readAll(body, signal, read);
          controller.abort();
          throw failure('aborted', 'unknown');
        },
        { knownBefore: new Set([firstId]), submissionId: state === 'failed' ? firstId : secondId },
        controller,
      );
      assert.equal(outcome.kind, state);
      assert.ok(outcome.kind !== 'failed' || outcome.reason === 'canceled');
    }
  });

  it("sends nothing if the same content may have a batch that the user doesn't know of", async () => {
    await run(succeed);
    const outcome = await run(async () => assert.fail('sent'), { submissionId: secondId });
    assert.equal(outcome.kind === 'conflict' && outcome.other.id, firstId);
    assert.equal(existsSync(path.join(folder, secondId, 'submission.json')), false);
    assert.equal(sent, 1);
  });

  it('sends the same content again after a warning, to another service, or after a failure', async () => {
    const refuse: Create = async () => {
      throw failure('rate_limit', 'refused');
    };
    assert.equal((await run(refuse)).kind, 'failed');
    assert.equal((await run(succeed, { submissionId: secondId })).kind, 'created');
    const thirdId = '33333333-3333-4333-8333-333333333333';
    assert.equal((await run(succeed, { submissionId: thirdId, connection: 'Other' })).kind, 'created');
    const renamed = await run(succeed, { submissionId: '66666666-6666-4666-8666-666666666666', connection: 'Lab, renamed' });
    assert.equal(renamed.kind, 'conflict');
    const fifthId = '55555555-5555-4555-8555-555555555555';
    assert.equal((await run(succeed, { submissionId: fifthId, knownBefore: new Set([secondId]) })).kind, 'created');
    await registry.update(secondId, { deleted: true, batch: { ...batch, processing_status: 'ended' } });
    await registry.update(fifthId, { deleted: true, batch: { ...batch, processing_status: 'ended' } });
    assert.equal((await run(succeed, { submissionId: '44444444-4444-4444-8444-444444444444' })).kind, 'created');
  });

  it('sends the selected requests of a file, and records the selection, the part and the run that they follow', async () => {
    const lines = Uint32Array.of(1, 4);
    const follows = { runId: secondId, purpose: 'rest' } as const;
    const group = { id: 'g', index: 1, count: 2 };
    const requests = { lines, bodyBytes: 6, models: [['vendor-haiku-4-5', 2]] as const };
    const outcome = await run(succeed, {
      report: { ...report, bodyBytes: 600, requestCount: 9 },
      selection: { purpose: 'rest', requests },
      follows,
      group,
    });
    assert.ok(outcome.kind === 'created');
    const { requestCount, bodyBytes, models, selection } = outcome.submission;
    assert.deepEqual({ requestCount, bodyBytes, models }, { requestCount: 2, bodyBytes: 6, models: [['vendor-haiku-4-5', 2]] });
    assert.deepEqual(selection, { ...toSelection({ purpose: 'rest', lines }), total: 9 });
    assert.deepEqual([outcome.submission.group, outcome.submission.follows], [group, follows]);
  });

  it('records the estimate, for a group at its first part', async () => {
    const estimate = [{ model: 'vendor-sonnet-5', inputLow: 10, inputHigh: 20, maxOutput: 128 }];
    const sent = async (more: Parameters<typeof run>[1]) => {
      const outcome = await run(succeed, { estimate, ...more });
      assert.ok(outcome.kind === 'created');
      return outcome.submission.estimate;
    };
    const [first, second] = ['55555555-5555-4555-8555-555555555555', '66666666-6666-4666-8666-666666666666'];
    assert.deepEqual(await sent({ submissionId: first, group: { id: 'g', index: 0, count: 2 } }), estimate);
    assert.equal(await sent({ submissionId: second, group: { id: 'g', index: 1, count: 2 }, knownBefore: new Set([first]) }), undefined);
  });

  it('follows the run whose results the file was made from', async () => {
    await run(succeed, { report: { ...report, sha256: 'ef'.repeat(32) } });
    const made = { source: 'file:///retry.jsonl', sha256: report.sha256, purpose: 'retry', madeAt: '2026-05-04T10:00:00Z' } as const;
    await registry.update(firstId, { made: [made] });
    const outcome = await run(succeed, { submissionId: secondId });
    assert.deepEqual(outcome.kind === 'created' && outcome.submission.follows, { runId: firstId, purpose: 'retry' });
  });

  it("doesn't adopt a batch that was known before, and sends nothing again", async () => {
    const answer =
      (data: MessageBatch): Create =>
      async (body, signal) => {
        await readAll(body, signal);
        return { data, requestId: 'req_1' };
      };
    const other: Submission = { ...submissionOf(secondId), state: 'created', batchId: 'msgbatch_1' };
    await registry.save(other);
    const candidates = [{ batchId: 'msgbatch_2', ended: false }];
    const lost = submissionOf('33333333-3333-4333-8333-333333333333');
    await registry.save({ ...lost, search: { looks: 1, lookedAt: '', listed: 1, reachedBack: true, candidates } });
    for (const id of ['msgbatch_1', 'msgbatch_2', 'msgbatch_3']) {
      const submissionId = randomUUID();
      const outcome = await run(answer({ ...batch, id }), { submissionId, report: { ...report, sha256: submissionId } });
      assert.equal(outcome.kind, 'unknown');
      assert.match(registry.find(submissionId)?.problem ?? '', new RegExp(`responded with batch ${id} that was there before`));
      assert.deepEqual([registry.find(submissionId)?.batchId, registry.findByBatch('Lab', id)?.id === submissionId], [undefined, false]);
    }
    assert.equal(sent, 3);
  });

  it("doesn't adopt a batch that another window has adopted meanwhile", async () => {
    const windows = ledger.open(() => undefined);
    const outcome = await run(async (body, signal) => {
      await readAll(body, signal);
      await windows.save({ ...submissionOf(secondId), state: 'created', batchId: batch.id });
      return { data: batch, requestId: undefined };
    });
    assert.ok(outcome.kind === 'unknown');
    assert.match(outcome.submission.problem ?? '', /is the batch of another submission/);
    assert.equal(sent, 1);
  });

  it('passes the number of requests to the client, and adopts a batch that was listed since', async () => {
    const counts: unknown[] = [];
    listed = [];
    const outcome = await run(async (body, signal, options) => {
      await readAll(body, signal);
      listed = [batch.id];
      counts.push(options?.requestCount);
      return { data: batch, requestId: 'req_9' };
    });
    assert.ok(outcome.kind === 'created');
    assert.deepEqual([counts, outcome.submission.requestId], [[2], 'req_9']);
  });

  it("sends nothing if the submission can't be recorded", async () => {
    writeFileSync(path.join(folder, firstId), 'in the way');
    await assert.rejects(run(async () => assert.fail('sent')));
    assert.equal(sent, 0);
  });

  it("returns the batch even if it can't be recorded, and leaves the record at sending", async () => {
    const outcome = await run(async (body, signal) => {
      await readAll(body, signal);
      rmSync(path.join(folder, firstId, 'submission.json'));
      rmSync(path.join(folder, firstId), { recursive: true });
      writeFileSync(path.join(folder, firstId), 'in the way');
      return { data: batch, requestId: undefined };
    });
    assert.ok(outcome.kind === 'created' && outcome.unsaved !== undefined);
    assert.equal(outcome.submission.batchId, 'msgbatch_1');
    assert.equal(registry.findByBatch('Lab', 'msgbatch_1')?.id, firstId);
  });

  it("deletes the copy of the editor's text after a failure and keeps it otherwise", async () => {
    for (const [id, outcome] of [
      [firstId, 'refused'],
      [secondId, 'unknown'],
    ] as const) {
      const copy = path.join(await registry.prepare(id), 'source.jsonl');
      writeFileSync(copy, '{}');
      await run(
        async (body, signal) => {
          await readAll(body, signal);
          throw failure('api', outcome);
        },
        { submissionId: id, fromEditor: true, path: copy },
      );
      assert.equal(existsSync(copy), outcome === 'unknown');
    }
  });
});
