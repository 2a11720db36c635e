import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../../../src/client/transport/errors';
import type { Fault } from '../../../src/emulator/faults';
import { type BatchSearchResult, hasNewCandidate, searchForBatch } from '../../../src/features/batches/reconciling/searchForBatch';
import { nextSearchIn } from '../../../src/features/batches/reconciling/searchSchedule';
import type { Submission } from '../../../src/features/ledger/submission';
import { fieldOf } from '../../helpers/fieldOf';
import { recordOf } from '../../unit/features/ledger/ledgerOfTest';
import { Bench, bodyOf } from './batchBench';

const duration = 60_000;
const lost: Fault = { name: 'lostReplyAfterCommit', route: 'batches.create', times: 1 };

describe('features/batches/reconciling/searchForBatch over a socket', () => {
  // Retries without a delay.
  const bench = new Bench({ batchDuration: duration }, { client: { random: () => 0 } });
  let { emulator, client, registry } = bench;

  beforeEach(() => {
    ({ emulator, client, registry } = bench);
  });

  /** Sends a submission. Returns the submission with the response of the service. */
  async function send(ids: readonly string[], ...faults: readonly Fault[]): Promise<Submission> {
    const id = randomUUID();
    await registry.prepare(id);
    writeFileSync(path.join(registry.folder(id), 'lines.tsv'), ids.map((custom, line) => `${line}\t${custom}\n`).join(''));
    await registry.save(recordOf({ id, origin: emulator.url, sha256: id, requestCount: ids.length, startedAt: new Date().toISOString() }));
    // The record that `SubmissionRegistry.begin` writes, but without a window, because the window would be considered dead.
    writeFileSync(
      path.join(registry.folder(id), 'submission.json'),
      JSON.stringify({
        ...registry.find(id),
        state: 'unknown',
        handedOut: true,
        steps: [{ what: 'handed_out', at: new Date().toISOString() }],
      }),
    );
    await registry.reload();
    emulator.setScenario({ faults });
    try {
      const { data: batch } = await client.batches.create(bodyOf(ids));
      await registry.update(
        id,
        { state: 'created', batchId: batch.id, batch },
        { steps: [{ what: 'created', at: new Date().toISOString() }] },
      );
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.outcome === 'unknown');
      await registry.update(id, {}, { steps: [{ what: 'lost', at: new Date().toISOString() }] });
    }
    return known(id);
  }

  function known(id: string): Submission {
    return registry.find(id) ?? assert.fail('not known');
  }

  function look(submission: Submission, isAsked = false): Promise<BatchSearchResult> {
    return searchForBatch(registry, known(submission.id), { client, isEmulator: false }, { isAsked });
  }

  const verdicts = ({ search }: Submission) => search?.candidates.map(({ ids }) => ids ?? 'running');
  const listed = async () => (await bench.batches()).map(({ id }) => id);

  it('finds the batch of a lost response while it runs, asks, and compares IDs after it has ended', async () => {
    const submission = await send(['a', 'b'], lost);
    const { submission: first } = await look(submission);
    assert.equal(first.state, 'unknown');
    assert.deepEqual(verdicts(first), ['running']);
    await emulator.advanceClock(duration);
    const { submission: second } = await look(submission);
    assert.deepEqual(verdicts(second), ['same']);
    const { data: batch } = await client.batches.retrieve((await listed())[0] ?? '');
    const adopted = await registry.adopt(submission.id, batch);
    assert.ok('steps' in adopted);
    assert.deepEqual(fieldOf(adopted.steps, 'what'), ['handed_out', 'lost', 'looked', 'adopted', 'ended']);
    assert.equal(bench.creates(), 1);
  });

  it('reports how far back it searched in vain, and repeats the search with growing delays', async () => {
    await client.batches.create(bodyOf(['x']));
    const submission = await send(['a', 'b'], { name: 'lostReplyBeforeCommit', route: 'batches.create', times: 1 });
    const pauses: (number | undefined)[] = [];
    for (let n = 0; n < 8; n++) {
      const { submission: looked } = await look(submission);
      assert.deepEqual(looked.search?.candidates, []);
      const wait = nextSearchIn(looked, Date.parse(looked.search?.lookedAt ?? ''));
      pauses.push(wait === undefined ? undefined : wait / 1000);
    }
    assert.deepEqual(pauses, [5, 15, 60, 300, 1200, 3600, undefined, undefined]);
    const { search, steps } = known(submission.id);
    assert.deepEqual([search?.listed, search?.reachedBack], [1, true]);
    assert.ok(Number.isFinite(Date.parse(search?.backTo ?? '')));
    assert.equal(steps?.at(-1)?.times, 8);
  });

  it('tells several batches apart by their IDs', async () => {
    await client.batches.create(bodyOf(['c', 'd']));
    const submission = await send(['a', 'b'], lost);
    await client.batches.create(bodyOf(['e', 'f']));
    assert.equal((await look(submission)).submission.search?.candidates.length, 3);
    await emulator.advanceClock(duration);
    const { submission: compared } = await look(submission);
    assert.deepEqual(verdicts(compared), ['different', 'same', 'different']);
  });

  it('leaves two batches of one create to the user, and never creates a third', async () => {
    const submission = await send(['a', 'b'], lost, { name: 'duplicateCreate' });
    emulator.setScenario({ faults: [] });
    await emulator.advanceClock(duration);
    const { submission: looked } = await look(submission);
    assert.deepEqual([looked.state, verdicts(looked)], ['unknown', ['same', 'same']]);
    assert.equal(bench.creates(), 1);
  });

  it('finds the batch of an abandoned search before it was listed, and reports it once', async () => {
    const submission = await send(['a', 'b'], lost, { name: 'slowListing', seconds: 30 });
    assert.deepEqual(verdicts((await look(submission)).submission), []);
    const given = await registry.update(submission.id, { state: 'abandoned' });
    await emulator.advanceClock(31_000);
    const { submission: listed } = await look(submission);
    assert.deepEqual([listed.state, verdicts(listed)], ['abandoned', ['running']]);
    await emulator.advanceClock(duration);
    const { submission: ended } = await look(submission);
    assert.deepEqual([ended.state, verdicts(ended)], ['abandoned', ['same']]);
    assert.deepEqual(
      [hasNewCandidate(given, listed), hasNewCandidate(listed, ended), hasNewCandidate(submission, ended)],
      [true, false, false],
    );
  });

  it('finds the batch of a service whose clock is hours off', async () => {
    const skew: Fault = { name: 'clockSkew', seconds: -5 * 3600 };
    const submission = await send(['a', 'b'], lost, skew);
    assert.deepEqual(verdicts((await look(submission)).submission), []);
    const { submission: asked } = await look(submission, true);
    assert.deepEqual([asked.state, verdicts(asked), asked.search?.candidates[0]?.atAnotherTime], ['unknown', ['running'], true]);
    await send(['c'], skew);
    await emulator.advanceClock(duration);
    const { submission: looked } = await look(submission);
    assert.deepEqual(verdicts(looked), ['same']);
  });

  it('records nothing while the service fails, and continues afterwards', async () => {
    const submission = await send(['a', 'b'], lost);
    emulator.setScenario({ faults: [{ name: 'rateLimit', seconds: 0, route: 'batches.list' }] });
    await assert.rejects(look(submission), (error: unknown) => error instanceof ServiceError && error.kind === 'rate_limit');
    assert.equal(known(submission.id).search, undefined);
    emulator.setScenario({ faults: [] });
    assert.deepEqual(verdicts((await look(submission)).submission), ['running']);
  });

  it("doesn't call a service that the submission wasn't sent to", async () => {
    const submission = await send(['a', 'b'], lost);
    await registry.forget(submission.id);
    const other = { ...submission, origin: 'https://elsewhere.example' };
    await registry.save(other);
    const before = emulator.requests.length;
    const { submission: looked, found } = await look(other);
    assert.equal(found, undefined);
    assert.equal(looked.search?.elsewhere, emulator.url);
    assert.equal(emulator.requests.length, before);
  });

  it('links one batch to one submission only', async () => {
    const [one, two] = [await send(['a', 'b'], lost), await send(['a', 'b'], { name: 'lostReplyBeforeCommit', times: 1 })];
    emulator.setScenario({ faults: [] });
    await emulator.advanceClock(duration);
    const ends = await Promise.all([look(one), look(two)]);
    assert.deepEqual(
      ends.map(({ submission }) => submission.state),
      ['unknown', 'unknown'],
    );
    const { data: batch } = await client.batches.retrieve((await listed())[0] ?? '');
    const taken = await Promise.all([registry.adopt(one.id, batch), registry.adopt(two.id, batch)]);
    assert.equal(taken.filter(end => 'conflict' in end).length, 1);
  });

  it("never adopts a colleague's batch of the same file sent in the same seconds, and asks", async () => {
    const submission = await send(['a', 'b'], { name: 'lostReplyBeforeCommit', route: 'batches.create', times: 1 });
    emulator.setScenario({ faults: [] });
    await registry.update(submission.id, { models: [['vendor-sonnet-5', 2]] });
    await client.batches.create(bodyOf(['a', 'b']));
    await emulator.advanceClock(duration);
    for (let n = 0; n < 3; n++) {
      const { submission: looked } = await look(submission, n > 0);
      assert.deepEqual([looked.state, looked.batchId, verdicts(looked)], ['unknown', undefined, ['same']]);
    }
  });
  it('gets no proof from generated IDs', async () => {
    const made = await send(['line-1', 'line-2', 'line-3'], lost);
    emulator.setScenario({ faults: [] });
    await emulator.advanceClock(duration);
    assert.deepEqual(verdicts((await look(made)).submission), ['unclear']);
  });
});
