import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { EmulatorClock } from '../../../../src/emulator/emulatorClock';
import { toWire } from '../../../../src/emulator/http/toWire';
import { RecordStore } from '../../../../src/emulator/state/recordStore';

describe('emulator/state/recordStore', () => {
  let folder: string;
  const inside = (name = '') => path.join(folder, 'things', name);
  const schema = z.object({ id: z.string(), sequence: z.number(), n: z.number().optional() });
  const open = (isPersistent = true) => {
    const place = { folder, isPersistent, clock: new EmulatorClock() };
    return new RecordStore(place, { folder: 'things', noun: 'Thing', prefix: 'thing_', schema }).load();
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'records-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps the last version of each ID, in order of creation', async () => {
    const kept = await open();
    const late = { id: 'late', sequence: 11, n: 0 };
    for (let n = 1; n <= 50; n++) {
      late.n = n;
      kept.put(late);
    }
    kept.put({ id: 'early', sequence: 2 });
    const again = await open();
    assert.deepEqual(again.list(), [late, { id: 'early', sequence: 2 }]);
    assert.deepEqual([again.add({ n: 1 }).sequence, again.add({}).sequence, again.isEmpty], [12, 13, false]);
    assert.deepEqual((await readdir(inside())).filter(name => !name.startsWith('thing_')).sort(), ['early.json', 'late.json']);
  });

  it("rejects a record that can't be written", async () => {
    const store = await open();
    await mkdir(inside('bad.json'));
    assert.throws(() => store.put({ id: 'bad', sequence: 0 }), { code: 'EISDIR' });
    assert.equal(store.find('bad'), undefined);
    await rmdir(inside('bad.json'));
    store.put({ id: 'bad', sequence: 0 });
    assert.deepEqual(await readdir(inside()), ['bad.json']);
  });

  it('deletes a record', async () => {
    const kept = await open();
    kept.put({ id: 'a', sequence: 0 });
    await kept.delete('a');
    assert.deepEqual(await readdir(inside()), []);
    assert.equal(kept.find('a'), undefined);
    assert.throws(() => kept.get('a'), /^ApiError: Thing not found: a$/);
  });

  it('skips files without a valid record, and names them with the invalid fields', async () => {
    const logged: string[] = [];
    const { error } = console;
    console.error = (line: string) => logged.push(line);
    await open();
    await writeFile(inside('broken.json'), '{"id":"x"');
    await writeFile(inside('other.json'), '{"id":"x"}');
    await writeFile(inside('good.json'), '{"id":"good","sequence":1}');
    await writeFile(inside('half.json.new'), '{"id":"half","sequence":1}');
    try {
      assert.deepEqual((await open()).list(), [{ id: 'good', sequence: 1 }]);
    } finally {
      console.error = error;
    }
    assert.deepEqual(logged.sort(), ['Thing broken could not be read', 'Thing other could not be read: sequence']);
  });

  it("writes nothing to disk if the state isn't persistent", async () => {
    const kept = await open(false);
    const { id } = kept.add({});
    assert.match(id, /^thing_\w{24}$/);
    assert.deepEqual([kept.get(id).sequence, await readdir(inside())], [0, []]);
    await kept.delete(id);
    assert.equal(kept.isEmpty, true);
  });

  it('stamps new and changed records, and archives once', async () => {
    const clock = new EmulatorClock();
    const stamped = z.object({
      id: z.string(),
      sequence: z.number(),
      createdAt: z.number(),
      updatedAt: z.number(),
      archivedAt: z.number().nullable(),
    });
    const kept = new RecordStore(
      { folder, isPersistent: false, clock },
      { folder: 'things', noun: 'Thing', prefix: 'thing_', schema: stamped },
    );
    const made = kept.add({});
    await clock.advance(1000);
    const changed = kept.change(made, {});
    assert.ok(changed.updatedAt - changed.createdAt >= 1000);
    const archived = await kept.archive(made.id);
    assert.equal(await kept.archive(made.id), archived);
    assert.throws(() => kept.active(made.id, 'changed'), /^ApiError: archived things cannot be changed$/);
  });

  it('finds records only below their own parent', async () => {
    const place = { folder, isPersistent: false, clock: new EmulatorClock() };
    const parents = new RecordStore(place, { folder: 'things', noun: 'Thing', prefix: 'thing_', schema });
    const part = schema.extend({ thingId: z.string() });
    const parent = { field: 'thingId', store: parents } as const;
    const parts = new RecordStore(place, { folder: 'parts', noun: 'Part', prefix: 'part_', schema: part, parent });
    const [one, other] = [parents.add({}).id, parents.add({}).id];
    const { id } = parts.add({ thingId: one });
    assert.deepEqual([parts.list(one).length, parts.list(other).length, parts.get(id, one).id], [1, 0, id]);
    assert.throws(() => parts.get(id, other), /Part not found/);
    assert.throws(() => parts.list('none'), /Thing not found: none/);
  });
});

describe('emulator/state/recordStore: toWire', () => {
  it('has names in snake case and times as text, without the position', () => {
    const record = { id: 'a', sequence: 3, displayName: 'A', createdAt: 0, archivedAt: null, metadata: { keptAs: 'x' } };
    assert.deepEqual(toWire('thing', record, { size: 1 }), {
      id: 'a',
      type: 'thing',
      display_name: 'A',
      created_at: '1970-01-01T00:00:00.000Z',
      archived_at: null,
      metadata: { keptAs: 'x' },
      size: 1,
    });
  });
});
