import assert from 'node:assert/strict';
import { LedgerChanges } from '../../../../../src/features/batches/watching/ledgerChanges';
import { announceWrite } from '../../../../../src/features/ledger/submissionFile';
import { useFolder } from '../../../../helpers/useFolder';

describe('features/batches/watching/ledgerChanges', () => {
  const folder = useFolder();
  let changes: LedgerChanges | undefined;

  afterEach(() => {
    changes?.dispose();
  });

  function open(clock = { monotonic: () => 0 }) {
    let reads = 0;
    let report: () => void = () => {};
    const isReadAgain = new Promise<void>(resolve => {
      report = resolve;
    });
    changes = new LedgerChanges({
      root: folder(),
      reload: async () => {
        reads++;
        if (reads === 2) {
          report();
        }
      },
      onFile: () => {},
      warn: () => {},
      clock,
    });
    return { changes, reads: () => reads, isReadAgain };
  }

  it('reads the folder once, and again when another window reports a write', async () => {
    const { changes, reads, isReadAgain } = open();
    await changes.start();
    await changes.catchUp();
    assert.equal(reads(), 1);
    await announceWrite(folder());
    await isReadAgain;
  });

  it("reads the folder every 30 seconds, and at each call if it isn't watched", async () => {
    const clock = { time: 0, monotonic: () => clock.time };
    const { changes, reads } = open(clock);
    await changes.catchUp();
    await changes.catchUp();
    assert.equal(reads(), 2);
    await changes.start();
    await changes.catchUp();
    clock.time += 29_000;
    await changes.catchUp();
    assert.equal(reads(), 2);
    clock.time += 1_000;
    await changes.catchUp();
    assert.equal(reads(), 3);
  });
});
