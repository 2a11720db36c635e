import assert from 'node:assert/strict';
import { LedgerChanges } from '../../../../../src/features/batches/watching/ledgerChanges';
import { ChangeLog } from '../../../../../src/features/ledger/reading/changeLog';
import { useFolder } from '../../../../helpers/useFolder';

describe('features/batches/watching/ledgerChanges', () => {
  const folder = useFolder();
  let changes: LedgerChanges | undefined;

  afterEach(() => {
    changes?.dispose();
  });

  function open(clock = { monotonic: () => 0 }) {
    const reads: string[] = [];
    let told: () => void = () => {};
    const isReported = new Promise<void>(resolve => {
      told = resolve;
    });
    changes = new LedgerChanges({
      root: folder(),
      reload: async () => void reads.push('all'),
      readChanges: async () => {
        reads.push('told');
        told();
      },
      onFile: () => {},
      warn: () => {},
      clock,
    });
    return { changes, reads, isReported };
  }

  it('has all of the folder read once, and then what a window tells of', async () => {
    const { changes, reads, isReported } = open();
    await changes.start();
    await changes.catchUp();
    await new ChangeLog(folder()).tell('11111111-1111-4111-8111-111111111111');
    await isReported;
    assert.deepEqual(reads, ['all', 'told']);
  });

  it('reads the folder now and then whatever is told, and at each look before it listens', async () => {
    const clock = { time: 0, monotonic: () => clock.time };
    const { changes, reads } = open(clock);
    await changes.catchUp();
    await changes.catchUp();
    assert.equal(reads.length, 2);
    await changes.start();
    await changes.catchUp();
    clock.time += 29_000;
    await changes.catchUp();
    assert.equal(reads.length, 2);
    clock.time += 1_000;
    await changes.catchUp();
    assert.deepEqual(reads, ['all', 'all', 'all']);
  });
});
