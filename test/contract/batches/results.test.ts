import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { MessageBatch } from '../../../src/client/resources/messageBatches';
import type { Fault } from '../../../src/emulator/faults';
import { type FetchedReport, fetchResults } from '../../../src/features/batches/fetching/fetchResults';
import { Bench, bodyOf } from './batchBench';

const count = 40;
const route = 'batches.results';

describe('features/batches/fetching over a socket', () => {
  const bench = new Bench({ batchDuration: 0 });
  let { emulator } = bench;
  let batch: MessageBatch;
  const file = (name: string) => path.join(bench.folder, 'results', name);

  beforeEach(async () => {
    ({ emulator } = bench);
    const ids = Array.from({ length: count }, (_, n) => `r${n}`);
    const { data } = await bench.client.batches.create(bodyOf(ids));
    do {
      batch = (await bench.client.batches.retrieve(data.id)).data;
    } while (batch.processing_status !== 'ended');
    mkdirSync(file(''));
    writeFileSync(file('lines'), ids.map((id, n) => `${n}\t${id}\n`).join(''));
  });

  async function fetch(...faults: readonly Fault[]): Promise<FetchedReport> {
    emulator.setScenario({ faults });
    return await fetchResults({
      ...{ client: bench.client, batch, jobs: bench.jobs },
      rawPath: file('raw'),
      joinedPath: file('joined'),
      indexPath: file('index'),
      linesPath: file('lines'),
      pause: () => Promise.resolve(),
    });
  }

  it('resumes results that are cut at any byte, repeatedly', async () => {
    const { report } = await fetch();
    assert.equal(report.complete, true);
    const raw = readFileSync(file('raw'));
    for (const bytes of [1, 777, Math.floor(raw.length / 3), raw.length - 1]) {
      const times = Math.min(4, Math.ceil(raw.length / bytes) - 1);
      const resumed = await fetch({ name: 'resumableResults', route }, { name: 'cutResponse', route, bytes, times });
      assert.equal(resumed.report.complete, true);
      assert.ok(readFileSync(file('raw')).equals(raw), `cut after ${bytes} bytes`);
    }
    assert.deepEqual((await readdir(file(''))).sort(), ['index', 'joined', 'lines', 'raw']);
  });
});
