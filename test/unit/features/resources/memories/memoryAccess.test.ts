import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import { EmulatorClock } from '../../../../../src/emulator/emulatorClock';
import { ApiError } from '../../../../../src/emulator/http/apiError';
import { MemoryStores, toMemory } from '../../../../../src/emulator/memories/memories';
import { mergeDefinitions } from '../../../../../src/features/resources/definitions/mergeDefinitions';
import { MemoryAccess, MemoryBases, type ReadMemory } from '../../../../../src/features/resources/memories/memoryAccess';
import { runs } from '../../../../helpers/runs';

const place = (storeId: string) => ({ connection: 'Lab', storeId, path: '/notes.md' });
const key = '/Lab/s/notes.md';
const overwrite = { create: true, overwrite: true };

/** Returns a client of the emulator's state. Each call awaits `turn` before its effect, and again before its response. */
function clientOf(state: MemoryStores, turn: () => Promise<void>): ServiceClient {
  const asked = async (work: () => object | Promise<void>) => {
    await turn();
    try {
      const data = await work();
      await turn();
      return { data, requestId: undefined };
    } catch (error) {
      assert.ok(error instanceof ApiError);
      const kind = error.status === 404 ? 'not_found' : error.status === 409 ? 'conflict' : 'invalid_request';
      throw new ServiceError(error.message, { kind, outcome: 'refused', method: 'GET', host: 'h', path: '/', status: error.status });
    }
  };
  const memories = (storeId: string) => ({
    retrieve: (id: string, { view }: { view?: string } = {}) => asked(() => toMemory(state.memories.get(id, storeId), view === 'full')),
    create: (params: { path: string; content: string }) => asked(() => toMemory(state.createMemory(storeId, params), false)),
    update: (id: string, params: object) => asked(() => toMemory(state.updateMemory(storeId, id, params), false)),
    delete: (id: string, { expectedSha256 }: { expectedSha256?: string } = {}) =>
      asked(() => state.deleteMemory(storeId, id, expectedSha256)),
    list: async () => {
      const { data } = await asked(() => state.listMemories(storeId).map(memory => toMemory(memory, false)));
      return { items: data, nextCursor: undefined, requestId: undefined };
    },
  });
  return { memoryStores: { memories } } as unknown as ServiceClient;
}

const atOnce = async () => undefined;

async function begin(content: string) {
  const state = new MemoryStores({ folder: '', isPersistent: false, clock: new EmulatorClock() });
  const { id } = state.create({ name: 'Store' });
  const memory = state.createMemory(id, { path: '/notes.md', content });
  return { state, storeId: id, memory, now: () => state.listMemories(id).find(({ path }) => path === '/notes.md')?.content };
}

/** A writer that edits a memory with the same calls as VS Code. */
class Writer {
  readonly access = new MemoryAccess();
  /** Lines of this writer that the service confirmed as stored. */
  readonly kept: string[] = [];
  private text = '';
  private isDirty = false;
  private count = 0;

  constructor(
    readonly name: string,
    private readonly client: ServiceClient,
    private readonly storeId: string,
  ) {}

  async act(step: string, at: number): Promise<void> {
    const where = place(this.storeId);
    switch (step) {
      case 'open': {
        const found = await this.access.read(this.client, where, key);
        assert.ok(typeof found === 'object');
        if (!this.isDirty) {
          this.text = found.content;
          this.access.bases.noteShown(key, this.text);
        }
        return;
      }
      case 'look':
        await this.access.stat(this.client, where, key);
        return;
      case 'type': {
        const lines = this.text.split('\n');
        lines.splice(at % lines.length, 0, `${this.name}${++this.count}`);
        this.text = lines.join('\n');
        this.isDirty = true;
        return;
      }
      case 'save':
        await this.save();
    }
  }

  private async save(): Promise<void> {
    const result = await this.access.write(this.client, place(this.storeId), key, this.text, overwrite);
    if (result.outcome === 'conflict') {
      const { base, theirs } = result;
      const sides = [base?.content, this.text, theirs.content].map(text => ({ text: text ?? '' }));
      const [before = {}, mine = {}, other = {}] = sides;
      const { definition, conflicts } = mergeDefinitions(before, mine, other);
      const own = this.text.split('\n').filter(line => line.startsWith(this.name) && !theirs.content?.split('\n').includes(line));
      this.text = conflicts.length === 0 ? String(definition.text) : [theirs.content, ...own].join('\n');
      this.access.bases.reset(key, theirs);
      return;
    }
    assert.equal(result.outcome, 'written');
    this.isDirty = false;
    const seen = this.text.split('\n').filter(line => line.startsWith(this.name));
    this.kept.push(...seen.filter(line => !this.kept.includes(line)));
  }
}

describe('features/resources/memories/memoryAccess', () => {
  it('keeps every line of two writers, in any order of their steps', async () => {
    const step = fc.record({ who: fc.nat(1), step: fc.constantFrom('open', 'look', 'type', 'type', 'save', 'save'), at: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { minLength: 5, maxLength: 40 }), async (scheduler, steps) => {
        const { state, storeId, now } = await begin('a\nb\nc\n');
        const turn = () => scheduler.schedule(Promise.resolve());
        const writers = ['x', 'y'].map(name => new Writer(name, clientOf(state, turn), storeId));
        const work = writers.map(async (writer, index) => {
          await writer.act('open', 0);
          for (const { step, at } of steps.filter(({ who }) => who === index)) {
            await writer.act(step, at);
          }
        });
        await scheduler.waitFor(Promise.all(work));
        const lines = now()?.split('\n') ?? [];
        for (const line of writers.flatMap(({ kept }) => kept)) {
          assert.equal(lines.filter(one => one === line).length, 1, `${line} of ${lines.join(' ')}`);
        }
      }),
      { numRuns: runs(2000, 200) },
    );
  });

  it("replaces another writer's text only if the new text contains it", async () => {
    const { state, storeId, memory, now } = await begin('one\n\ntwo\n\nthree\n');
    const client = clientOf(state, atOnce);
    const access = new MemoryAccess();
    await access.read(client, place(storeId), key);
    state.updateMemory(storeId, memory.id, { content: 'ONE\n\ntwo\n\nthree\n' });
    const refused = await access.write(client, place(storeId), key, 'one\n\ntwo\n\nTHREE\n', overwrite);
    assert.ok(refused.outcome === 'conflict');
    assert.deepEqual([refused.base?.content, refused.theirs.content], ['one\n\ntwo\n\nthree\n', 'ONE\n\ntwo\n\nthree\n']);
    assert.equal((await access.write(client, place(storeId), key, 'ONE\n\ntwo\n\nTHREE\n', overwrite)).outcome, 'written');
    assert.equal(now(), 'ONE\n\ntwo\n\nTHREE\n');
  });

  it('overwrites a newer memory only if VS Code reported it and the user chose to overwrite', async () => {
    const { state, storeId, memory, now } = await begin('one');
    const client = clientOf(state, atOnce);
    const access = new MemoryAccess();
    const save = (content: string) => access.write(client, place(storeId), key, content, { ...overwrite, overwritesNewer: true });
    await access.read(client, place(storeId), key);
    access.bases.noteShown(key, 'one');
    state.updateMemory(storeId, memory.id, { content: 'theirs' });
    assert.equal((await save('mine')).outcome, 'conflict', 'VS Code was told of no newer one');
    await access.stat(client, place(storeId), key);
    assert.equal((await access.write(client, place(storeId), key, 'mine', overwrite)).outcome, 'conflict');
    state.updateMemory(storeId, memory.id, { content: 'theirs, once more' });
    assert.equal((await save('mine')).outcome, 'conflict', 'changed since VS Code was told');
    await access.stat(client, place(storeId), key);
    assert.equal((await save('mine')).outcome, 'written');
    assert.equal(now(), 'mine');
    state.updateMemory(storeId, memory.id, { content: 'same' });
    await access.stat(client, place(storeId), key);
    assert.equal((await save('two!')).outcome, 'conflict', 'VS Code cannot tell texts of one size apart, and asks nothing');
  });

  it('is based on the last stat if nothing was read: a document restored with its window', async () => {
    const { state, storeId, memory } = await begin('one');
    const client = clientOf(state, atOnce);
    const access = new MemoryAccess();
    await access.stat(client, place(storeId), key);
    state.updateMemory(storeId, memory.id, { content: 'theirs' });
    const refused = await access.write(client, place(storeId), key, 'mine', overwrite);
    assert.ok(refused.outcome === 'conflict' && refused.base?.memory_version_id === memory.versionId);
  });

  it('returns a later time for new content although the service has whole seconds, and the same for merged content', async () => {
    const { state, storeId, memory } = await begin('one');
    const client = clientOf(state, atOnce);
    const access = new MemoryAccess();
    const time = async () => {
      const found = await access.stat(client, place(storeId), key);
      assert.ok(typeof found === 'object');
      return found.mtime;
    };
    const first = await time();
    await access.read(client, place(storeId), key);
    state.updateMemory(storeId, memory.id, { content: 'two' });
    assert.ok((await time()) > first);
    const refused = await access.write(client, place(storeId), key, 'mine', overwrite);
    assert.ok(refused.outcome === 'conflict');
    access.bases.reset(key, refused.theirs);
    assert.equal(await time(), first);
    assert.equal((await access.write(client, place(storeId), key, 'merged', overwrite)).outcome, 'written');
    assert.ok((await time()) > first);
  });

  it('returns a later time for a memory without a hash, because its content may have changed', async () => {
    const memory = { id: 'mem_1', path: '/notes.md', content: 'one', content_sha256: null, updated_at: '2026-06-01T10:00:00Z' };
    const memories = { list: async () => ({ items: [memory] }), retrieve: async () => ({ data: memory }) };
    const client = { memoryStores: { memories: () => memories } } as unknown as ServiceClient;
    const access = new MemoryAccess();
    await access.read(client, place('memstore_1'), key);
    const found = await access.stat(client, place('memstore_1'), key);
    assert.ok(typeof found === 'object' && found.mtime > Date.parse(memory.updated_at));
  });

  it('creates missing memories, and notices those moved or deleted meanwhile', async () => {
    const { state, storeId, memory, now } = await begin('one');
    const client = clientOf(state, atOnce);
    const access = new MemoryAccess();
    await access.read(client, place(storeId), key);
    state.updateMemory(storeId, memory.id, { path: '/moved.md' });
    assert.equal(await access.stat(client, place(storeId), key), undefined);
    assert.equal((await access.write(client, place(storeId), key, 'x', { create: false, overwrite: true })).outcome, 'missing');
    assert.equal((await access.write(client, place(storeId), key, 'again', overwrite)).outcome, 'created');
    assert.deepEqual([now(), state.memories.get(memory.id).content], ['again', 'one']);
    assert.equal((await access.write(client, place(storeId), key, 'x', { create: true, overwrite: false })).outcome, 'exists');
    assert.equal(await access.delete(client, place(storeId), key), 'deleted');
    assert.equal(await access.delete(client, place(storeId), key), 'missing');
  });

  it("deletes only the document's version, and moves unsaved text", async () => {
    const { state, storeId, memory } = await begin('one');
    const client = clientOf(state, atOnce);
    const access = new MemoryAccess();
    await access.read(client, place(storeId), key);
    state.updateMemory(storeId, memory.id, { content: 'two' });
    await assert.rejects(access.delete(client, place(storeId), key), /precondition/i);
    const to = { ...place(storeId), path: '/to.md' };
    const moved = await access.rename(client, place(storeId), to, [key, '/to']);
    assert.ok(typeof moved === 'object' && moved.path === '/to.md');
    assert.equal(access.bases.baseOf('/to')?.content, 'one');
    assert.equal(await access.rename(client, place(storeId), to, [key, '/to']), undefined);
  });
});

const read = (content: string | undefined, mtime = 0): ReadMemory => ({
  id: 'mem_1',
  type: 'memory',
  content_sha256: `sha of ${content}`,
  content,
  content_size_bytes: content?.length,
  mtime,
});

describe('features/resources/memories/memoryAccess MemoryBases', () => {
  const key = '/a';
  const shaOf = (bases: MemoryBases) => bases.baseOf(key)?.content_sha256;

  it('keeps the version that the document is based on when it is read again during typing', () => {
    const bases = new MemoryBases();
    bases.read(key, read('one'));
    bases.noteShown(key, 'one');
    bases.read(key, read('two'));
    assert.equal(shaOf(bases), 'sha of one');
    bases.noteShown(key, 'two');
    assert.equal(shaOf(bases), 'sha of two');
  });

  it('recognizes a text that VS Code shows with other line ends', () => {
    const bases = new MemoryBases();
    bases.read(key, read('\ufeffone\r\ntwo\n'));
    bases.noteShown(key, 'one\ntwo\n');
    bases.read(key, read('three'));
    assert.equal(shaOf(bases), 'sha of \ufeffone\r\ntwo\n');
  });

  it('uses the last read as the base if no read matches the shown text', () => {
    const bases = new MemoryBases();
    bases.read(key, read('one'));
    bases.noteShown(key, 'shown otherwise');
    bases.read(key, read('two'));
    assert.equal(shaOf(bases), 'sha of one');
  });

  it('is based on the last stat if nothing was read, and on nothing before that', () => {
    const bases = new MemoryBases();
    assert.equal(bases.baseOf(key), undefined);
    bases.stat(key, read(undefined));
    assert.equal(shaOf(bases), 'sha of undefined');
    bases.reset(key, read('one'));
    bases.stat(key, read('two'));
    assert.equal(shaOf(bases), 'sha of one');
  });

  it('moves a base to another key, and forgets it', () => {
    const bases = new MemoryBases();
    bases.reset(key, read('one'));
    bases.reset('/b', read('old'));
    bases.move(key, '/b');
    assert.deepEqual([bases.baseOf(key), bases.baseOf('/b')?.content], [undefined, 'one']);
    bases.forget('/b');
    assert.equal(bases.baseOf('/b'), undefined);
  });
});
