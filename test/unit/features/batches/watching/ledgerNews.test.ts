import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LedgerNews } from '../../../../../src/features/batches/watching/ledgerNews';
import { ChangeLog } from '../../../../../src/features/ledger/reading/changeLog';

describe('features/batches/watching/ledgerNews', () => {
  let folder: string;
  let news: LedgerNews | undefined;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'news-'));
  });

  afterEach(() => {
    news?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(clock = { monotonic: () => 0 }) {
    const reads: string[] = [];
    let told: () => void = () => {};
    const isTold = new Promise<void>(resolve => {
      told = resolve;
    });
    news = new LedgerNews({
      root: folder,
      reload: async () => void reads.push('all'),
      readTold: async () => {
        reads.push('told');
        told();
      },
      onFile: () => {},
      warn: () => {},
      clock,
    });
    return { news, reads, isTold };
  }

  it('has all of the folder read once, and then what a window tells of', async () => {
    const { news, reads, isTold } = open();
    await news.start();
    await news.catchUp();
    await new ChangeLog(folder).tell('11111111-1111-4111-8111-111111111111');
    await isTold;
    assert.deepEqual(reads, ['all', 'told']);
  });

  it('reads the folder now and then whatever is told, and at each look before it listens', async () => {
    const clock = { time: 0, monotonic: () => clock.time };
    const { news, reads } = open(clock);
    await news.catchUp();
    await news.catchUp();
    assert.equal(reads.length, 2);
    await news.start();
    await news.catchUp();
    clock.time += 29_000;
    await news.catchUp();
    assert.equal(reads.length, 2);
    clock.time += 1_000;
    await news.catchUp();
    assert.deepEqual(reads, ['all', 'all', 'all']);
  });
});
