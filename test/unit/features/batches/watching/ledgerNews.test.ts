import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LedgerNews } from '../../../../../src/features/batches/watching/ledgerNews';
import { tellOfChange } from '../../../../../src/features/ledger/submissionFile';

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

  it('has the folder read when another window tells of a change', async () => {
    let loaded: () => void = () => {};
    const reload = new Promise<void>(resolve => {
      loaded = resolve;
    });
    news = new LedgerNews({ root: folder, reload: async () => loaded(), onFile: () => {}, warn: () => {}, clock: { monotonic: () => 0 } });
    await news.start();
    await tellOfChange(folder);
    await reload;
  });

  it('reads the folder now and then where nothing tells of changes, and at each look before it listens', async () => {
    const clock = { time: 0, monotonic: () => clock.time };
    let reads = 0;
    news = new LedgerNews({ root: folder, reload: async () => void reads++, onFile: () => {}, warn: () => {}, clock });
    await news.catchUp();
    await news.catchUp();
    assert.equal(reads, 2);
    await news.start();
    await news.catchUp();
    clock.time += 29_000;
    await news.catchUp();
    assert.equal(reads, 2);
    clock.time += 1_000;
    await news.catchUp();
    assert.equal(reads, 3);
  });
});
