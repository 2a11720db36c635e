import assert from 'node:assert/strict';
import type { NamedFile, Proposal } from '../../../../src/features/assistant/assistantServices';
import { ProposedSheets, toSheetEnd } from '../../../../src/features/assistant/proposedSheets';
import type { ShownSheet } from '../../../../src/features/batches/api';
import type { Submission } from '../../../../src/features/ledger';
import { HeldTimers } from '../../../helpers/heldTimers';

const patience = 5_000;
const file: NamedFile = { name: 'a.jsonl', path: '/a.jsonl', source: 'file:///a.jsonl' };

describe('features/assistant/proposedSheets', () => {
  const { signal } = new AbortController();
  let timers: HeldTimers;
  let sent: Pick<Submission, 'id' | 'state' | 'batchId'>[];
  let shown: { readonly proposal: Proposal; readonly close: () => void }[];
  let show: (proposal: Proposal) => Promise<ShownSheet | undefined>;
  let time: number;
  let sheets: ProposedSheets;

  beforeEach(() => {
    timers = new HeldTimers([patience]);
    sent = [];
    shown = [];
    time = 0;
    show = async proposal => {
      let close = () => {};
      const closed = new Promise<void>(resolve => {
        close = resolve;
      });
      shown.push({ proposal, close });
      return { closed };
    };
    sheets = new ProposedSheets({
      registry: { reload: async () => {}, findBySource: () => sent as unknown as readonly Submission[] },
      show: proposal => show(proposal),
      now: () => time,
    });
  });

  afterEach(() => timers.release());

  /** Lets pending work continue. */
  const turn = () => new Promise(resolve => setImmediate(resolve));

  /** Proposes a sheet for a model that stops waiting while the sheet is open. */
  async function proposeAndLeave(proposal: Proposal = { file }): Promise<void> {
    const proposing = sheets.propose(proposal, patience, signal);
    await turn();
    timers.pass(patience);
    assert.deepEqual(await proposing, { kind: 'open' });
  }

  it("returns the user's decision about a sheet", async () => {
    for (const isSent of [true, false]) {
      const proposing = sheets.propose({ file }, patience, signal);
      await turn();
      if (isSent) {
        sent.push({ id: 's1', state: 'created', batchId: 'b1' });
      }
      shown.splice(0)[0]?.close();
      assert.deepEqual(await proposing, isSent ? { kind: 'sent', batchIds: ['b1'] } : { kind: 'closed' });
    }
  });

  it('shows no second sheet for a repeated proposal, but returns the outcome of the first', async () => {
    sent.push({ id: 's0', state: 'created', batchId: 'b0' });
    await proposeAndLeave();
    const waiting = sheets.propose({ file }, patience, signal);
    sent.push({ id: 's1', state: 'created', batchId: 'b1' });
    shown[0]?.close();
    assert.deepEqual(await waiting, { kind: 'sent', batchIds: ['b1'] });
    assert.equal(shown.length, 1);
  });

  it('returns a decision made meanwhile, once, instead of asking again', async () => {
    for (const isSent of [true, false]) {
      await proposeAndLeave();
      if (isSent) {
        sent.push({ id: 's1', state: 'created', batchId: 'b1' });
      }
      shown.at(-1)?.close();
      const before = shown.length;
      assert.deepEqual(await sheets.propose({ file }, patience, signal), isSent ? { kind: 'sent', batchIds: ['b1'] } : { kind: 'closed' });
      assert.equal(shown.length, before);
    }
    await proposeAndLeave();
    assert.equal(shown.length, 3);
  });

  it('delivers an outcome that was in progress', async () => {
    await proposeAndLeave();
    sent.push({ id: 's1', state: 'sending', batchId: undefined });
    shown[0]?.close();
    assert.deepEqual(await sheets.propose({ file }, patience, signal), { kind: 'sending' });
    sent.splice(0, 1, { id: 's1', state: 'created', batchId: 'b1' });
    assert.deepEqual(await sheets.propose({ file }, patience, signal), { kind: 'sent', batchIds: ['b1'] });
    assert.equal(shown.length, 1);
  });

  it('keeps the sheet when a call is canceled', async () => {
    const caller = new AbortController();
    const proposing = sheets.propose({ file }, patience, caller.signal);
    await turn();
    caller.abort();
    await proposing;
    shown[0]?.close();
    assert.deepEqual(await sheets.propose({ file }, patience, signal), { kind: 'closed' });
    assert.equal(shown.length, 1);
  });

  it('distinguishes proposals of a sample and of the whole file', async () => {
    await proposeAndLeave();
    await proposeAndLeave({ file, only: 'trial' });
    await proposeAndLeave({ file, only: 'trial', sampleSize: 5 });
    await proposeAndLeave({ file: { ...file, source: 'file:///b.jsonl' } });
    assert.equal(shown.length, 4);
  });

  it('forgets an outcome that nobody asked for in time', async () => {
    await proposeAndLeave();
    shown[0]?.close();
    await turn();
    time = 3_600_000;
    await proposeAndLeave();
    assert.equal(shown.length, 2);
  });

  it('shows another sheet after nothing was shown or the command failed', async () => {
    const shows = show;
    show = async () => undefined;
    assert.deepEqual(await sheets.propose({ file }, patience, signal), { kind: 'notShown' });
    show = async () => {
      throw new Error('gone');
    };
    await assert.rejects(sheets.propose({ file }, patience, signal), /gone/);
    show = shows;
    await proposeAndLeave();
    assert.equal(shown.length, 1);
  });
});

describe('features/assistant/sheetEnd', () => {
  it('describes what the user did with the sheet', () => {
    assert.deepEqual(toSheetEnd([], false), { kind: 'open' });
    assert.deepEqual(toSheetEnd([], true), { kind: 'closed' });
    assert.deepEqual(toSheetEnd([{ state: 'created', batchId: 'b' }], true), { kind: 'sent', batchIds: ['b'] });
    assert.deepEqual(toSheetEnd([{ state: 'sending' }, { state: 'created', batchId: 'b' }], true), { kind: 'sending' });
    assert.deepEqual(toSheetEnd([{ state: 'unknown' }], true), { kind: 'failed' });
    assert.deepEqual(toSheetEnd([{ state: 'failed' }], false), { kind: 'failed' });
  });
});
