import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Fault } from '../../../src/emulator/faults';
import type { BatchDependencies } from '../../../src/features/batches/batchDependencies';
import { resume as resumeCommand } from '../../../src/features/batches/groups/resumeGroup';
import {
  allowGroup,
  type RunOptions,
  type RunOutcome,
  readGroupPlan,
  readParts,
  remainingParts,
  sendParts,
  sendRun,
  stopGroup,
} from '../../../src/features/batches/groups/sendRun';
import { applyRenames } from '../../../src/features/ledger/applyRenames';
import { type Run, toRuns } from '../../../src/features/ledger/runs';
import type { Submission } from '../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';
import { fieldOf } from '../../helpers/fieldOf';
import { settings } from '../../helpers/vscode';
import { Bench, params } from './batchBench';

/** Seven requests go in parts of 3, 3 and 1. */
const limits = { maxRequests: 3, maxBytes: 1_000_000 };
const terms = { limits, rules: contractRules() };

describe('features/batches/groups over a socket', () => {
  const bench = new Bench({ batchDuration: 60_000 });
  const { jobs } = bench;
  let file: string;
  let { emulator, registry } = bench;

  beforeEach(() => {
    ({ emulator, registry } = bench);
    file = bench.write(...Array.from({ length: 7 }, (_, index) => ({ custom_id: `r${index}`, params })));
  });

  const never = new AbortController().signal;

  async function begin(options: Partial<RunOptions> = {}, chosen?: readonly number[]): Promise<RunOutcome> {
    const report = await jobs.checkFile(file, terms);
    const lines = chosen && Uint32Array.from(chosen);
    const parts = jobs.cutRequests(report, limits, lines);
    const purpose = lines === undefined ? 'part' : 'changed';
    return await sendRun(bench.deps(), { ...bench.request(file), report, parts, purpose }, lines, { signal: never, ...options });
  }

  /** Returns options with which the service fails from the second part on. */
  const refusedAfterFirst = (fault: Fault = { name: 'rateLimit', route: 'batches.create', seconds: 1 }) => ({
    onCreated: () => emulator.setScenario({ faults: [fault] }),
  });

  /** Sends the remaining parts, as a window that only knows the records on disk. */
  async function resume(kept: SubmissionRegistry, indexes?: readonly number[]): Promise<RunOutcome> {
    const run = runIn(kept);
    const found = await readGroupPlan(kept, run.lead.group?.id ?? '');
    assert.ok(found !== undefined);
    const { plan, holder } = found;
    const report = await jobs.checkFile(file, terms);
    const parts = await readParts(jobs, report, plan, kept.folder(holder.id));
    return await sendParts(
      bench.deps(kept),
      {
        ...{ ...bench.request(file), report, parts, purpose: plan.purpose, groupId: plan.id },
        indexes: indexes ?? remainingParts(run.submissions, run.parts),
      },
      { signal: never },
    );
  }

  function runIn(kept: SubmissionRegistry): Run {
    const [run, ...others] = toRuns(kept.all());
    assert.ok(run !== undefined && others.length === 0);
    return run;
  }

  /** Returns the lines of each part with a batch, according to its record. */
  const linesSent = (kept: SubmissionRegistry) =>
    runIn(kept)
      .submissions.filter(({ state }) => state === 'created')
      .map(({ id }) =>
        readFileSync(path.join(kept.folder(id), 'lines.tsv'), 'utf8')
          .replaceAll(/\t.*\n/g, ' ')
          .trim(),
      );

  const whole = ['0 1 2', '3 4 5', '6'];
  const sizes = async () => (await bench.batches()).map(({ request_counts: { processing } }) => processing).reverse();

  it('sends a file over the limits as several batches in order, each recorded before it is sent', async () => {
    const before: string[][] = [];
    const outcome = await begin({
      onProgress: ({ index }) => {
        before[index] = registry.all().map(({ state }) => state);
      },
    });
    assert.equal(outcome.stopped, undefined);
    assert.deepEqual(await sizes(), [3, 3, 1]);
    assert.deepEqual(linesSent(registry), whole);
    const run = runIn(registry);
    assert.equal(run.parts, 3);
    assert.deepEqual(
      run.submissions.map(({ requestCount, selection, group }) => [requestCount, selection?.firstLine, selection?.lastLine, group?.index]),
      [
        [3, 0, 2, 0],
        [3, 3, 5, 1],
        [1, 6, 6, 2],
      ],
    );
    assert.deepEqual(before[2], ['sending', 'created', 'created']);
  });

  it('stops when the service rejects a part, keeps sent parts, and sends the rest after a restart', async () => {
    const outcome = await begin(refusedAfterFirst());
    assert.equal(outcome.stopped?.index, 1);
    assert.equal(outcome.stopped?.outcome?.kind, 'failed');
    assert.equal(bench.creates(), 2);
    emulator.setScenario({ faults: [] });
    const fresh = await bench.open();
    assert.deepEqual(linesSent(fresh), ['0 1 2']);
    assert.equal((await resume(fresh)).stopped, undefined);
    assert.deepEqual(linesSent(fresh), whole);
    assert.deepEqual(await sizes(), [3, 3, 1]);
    assert.equal(bench.creates(), 4);
  });

  it('never resends a part whose outcome is unknown', async () => {
    const outcome = await begin(refusedAfterFirst({ name: 'lostReplyAfterCommit', route: 'batches.create' }));
    assert.equal(outcome.stopped?.outcome?.kind, 'unknown');
    emulator.setScenario({ faults: [] });
    const run = runIn(registry);
    assert.deepEqual(remainingParts(run.submissions, run.parts), [2]);
    const again = await resume(registry, [1, 2]);
    assert.equal(again.stopped?.outcome?.kind, 'conflict');
    assert.deepEqual(await sizes(), [3, 3]);
    const lost = run.submissions[1];
    assert.ok(lost !== undefined);
    await registry.update(lost.id, { state: 'abandoned' });
    assert.deepEqual(remainingParts(runIn(registry).submissions, 3), [1, 2]);
  });

  it('stops sending when another window asks, and keeps the rest for later', async () => {
    const other = await bench.open();
    let stopping: Promise<readonly Submission[]> | undefined;
    const groupOf = () => registry.all()[0]?.group?.id ?? '';
    const outcome = await begin({
      onCreated: () => {
        stopping ??= stopGroup(other, groupOf());
      },
    });
    const parts = await stopping;
    const made = await sizes();
    // The reported outcome must match the created batches, however many parts were in transit.
    assert.equal(outcome.stopped === undefined, made.length === 3);
    assert.equal(parts?.filter(({ state }) => state === 'created').length, made.length);
    assert.ok(parts?.every(({ state }) => state === 'created' || state === 'failed'));
    assert.equal((await resume(other)).stopped?.outcome, undefined);
    assert.deepEqual(await sizes(), made, 'the wish holds for every window until it is taken back');
    await allowGroup(other, groupOf());
    assert.equal((await resume(other)).stopped, undefined);
    assert.deepEqual(linesSent(other), whole);
    assert.deepEqual((await sizes()).sort(), [1, 3, 3]);
  });

  it('stops a part before its last byte on request', async () => {
    const other = await bench.open();
    const update = registry.update.bind(registry);
    let parts: readonly Submission[] = [];
    registry.update = async (id, change, options) => {
      if (change.handedOut === true) {
        // The last byte is only sent once this update has settled.
        const stopping = stopGroup(other, registry.find(id)?.group?.id ?? '').then(stopped => {
          parts = stopped;
        });
        while (other.find(id)?.stopWanted !== true) {
          await other.reload();
        }
        const written = update(id, change, options);
        await written.catch(() => undefined);
        void stopping;
        return await written;
      }
      return await update(id, change, options);
    };
    const outcome = await begin();
    assert.ok(outcome.stopped?.outcome?.kind === 'failed');
    assert.equal(outcome.stopped.outcome.reason, 'canceled');
    assert.deepEqual(await sizes(), []);
    while (parts.length === 0) {
      await new Promise(resolve => setImmediate(resolve));
    }
    assert.deepEqual(fieldOf(parts, 'state'), ['failed']);
  });

  it('sends each part once when two windows continue the same group', async () => {
    const controller = new AbortController();
    await begin({ signal: controller.signal, onCreated: () => controller.abort() });
    const other = await bench.open();
    const outcomes = await Promise.all([resume(registry), resume(other)]);
    assert.deepEqual((await sizes()).sort(), [1, 3, 3]);
    assert.ok(outcomes.some(({ stopped }) => stopped?.outcome?.kind === 'conflict'));
    const last = await bench.open();
    assert.deepEqual(linesSent(last), whole);
  });

  it('sends nothing of a file that changed in between, and recognizes no part of another file', async () => {
    const text = readFileSync(file, 'utf8');
    const outcome = await begin({ onCreated: () => writeFileSync(file, text.replaceAll('hello', 'howdy')) });
    const failed = outcome.stopped?.outcome;
    assert.ok(failed?.kind === 'failed');
    assert.equal(failed.reason, 'source_changed');
    assert.deepEqual(await sizes(), [3]);
    writeFileSync(file, text.split('\n').slice(1).join('\n'));
    await assert.rejects(resume(registry));
    assert.deepEqual(await sizes(), [3]);
    writeFileSync(file, text);
    assert.equal((await resume(registry)).stopped, undefined);
    assert.deepEqual(linesSent(registry), whole);
  });

  it('sends the rest from a renamed file, and rejects a plan that was altered', async () => {
    await begin(refusedAfterFirst());
    const { lead } = runIn(registry);
    const to = 'file:///another/name.jsonl';
    await applyRenames(registry, [{ from: lead.source, to, fromPath: '/none', toPath: '/another' }]);
    const groupId = lead.group?.id ?? '';
    const { plan, holder } = (await readGroupPlan(registry, groupId)) ?? assert.fail();
    assert.equal(plan.source, to);
    const planFile = path.join(registry.folder(holder.id), 'group.json');
    writeFileSync(planFile, readFileSync(planFile, 'utf8').replace('"requests":3', '"requests":2'));
    assert.equal(await readGroupPlan(registry, groupId), undefined);
  });

  it('stops between two parts on request, and finds the parts of chosen requests again', async () => {
    const controller = new AbortController();
    const outcome = await begin({ signal: controller.signal, onCreated: () => controller.abort() }, [0, 2, 3, 5, 6]);
    assert.deepEqual(outcome.stopped, { index: 1, outcome: undefined });
    assert.deepEqual([await sizes(), remainingParts(runIn(registry).submissions, 2)], [[3], [1]]);
    const fresh = await bench.open();
    assert.equal((await resume(fresh)).stopped, undefined);
    assert.deepEqual(linesSent(fresh), ['0 2 3', '5 6']);
    assert.deepEqual(
      runIn(fresh).submissions.map(({ selection }) => selection?.purpose),
      ['changed', 'changed'],
    );
  });

  it('names the spending limit that the remaining parts exceed, and sends them only when the user confirms', async () => {
    const { showWarningMessage } = vscode.window;
    const before = { ...settings };
    const asked: string[][] = [];
    let press: string | undefined;
    vscode.window.showWarningMessage = (async (_: string, { detail = '' }: vscode.MessageOptions, ...buttons: string[]) => {
      asked.push([...buttons, detail]);
      return press;
    }) as unknown as typeof showWarningMessage;
    const connection = { name: 'Lab', baseUrl: bench.client.baseUrl, limits };
    const deps = {
      ...bench.deps(),
      connections: { find: () => connection, client: async () => bench.client },
      rules: { options: () => contractRules() },
      lifetime: never,
    } as unknown as BatchDependencies;
    try {
      await begin(refusedAfterFirst());
      emulator.setScenario({ faults: [] });
      const run = runIn(registry);
      await registry.update(run.lead.id, {
        estimate: [{ model: 'vendor-sonnet-5', inputLow: 0, inputHigh: 7_000_000, maxOutput: 0 }],
      });
      settings['managedAgents.estimate.prices'] = { 'vendor-sonnet-5': { input: 1, output: 1 } };
      settings['managedAgents.spend.limit'] = { day: 6 };
      await resumeCommand(deps, { runId: run.id });
      assert.match(asked[0]?.[1] ?? '', /With this batch, today's cost may reach \$7\.00\. Your daily limit is \$6\.00\./);
      assert.deepEqual([asked[0]?.[0], await sizes()], ['Spend $7.00 (Limit $6.00)', [3]]);
      settings['managedAgents.spend.limit'] = { batch: 4, day: 7 };
      press = 'Send Remaining Parts';
      await resumeCommand(deps, { runId: run.id });
      assert.deepEqual([asked[1]?.[0], await sizes()], ['Send Remaining Parts', [3, 3, 1]]);
    } finally {
      vscode.window.showWarningMessage = showWarningMessage;
      Object.assign(settings, before);
    }
  });
});
