import assert from 'node:assert/strict';
import { MemoryBases, type ReadMemory } from '../../../../../src/features/resources/memories/memoryBases';

const read = (content: string | undefined, mtime = 0): ReadMemory => ({
  id: 'mem_1',
  sha256: `sha of ${content}`,
  content,
  bytes: content?.length,
  versionId: undefined,
  mtime,
});

describe('features/resources/memories/memoryBases', () => {
  const key = '/a';
  const shaOf = (bases: MemoryBases) => bases.baseOf(key)?.sha256;

  it('stays with what the document was begun from when it is read again while somebody types', () => {
    const bases = new MemoryBases();
    bases.read(key, read('one'));
    bases.shows(key, 'one');
    bases.read(key, read('two'));
    assert.equal(shaOf(bases), 'sha of one');
    bases.shows(key, 'two');
    assert.equal(shaOf(bases), 'sha of two');
  });

  it('knows a text that VS Code shows with other line ends', () => {
    const bases = new MemoryBases();
    bases.read(key, read('\ufeffone\r\ntwo\n'));
    bases.shows(key, 'one\ntwo\n');
    bases.read(key, read('three'));
    assert.equal(shaOf(bases), 'sha of \ufeffone\r\ntwo\n');
  });

  it('takes what was read last for what is shown in a way of its own', () => {
    const bases = new MemoryBases();
    bases.read(key, read('one'));
    bases.shows(key, 'shown otherwise');
    bases.read(key, read('two'));
    assert.equal(shaOf(bases), 'sha of one');
  });

  it('stands on what was last looked at where nothing was read, and on nothing where nobody looked', () => {
    const bases = new MemoryBases();
    assert.equal(bases.baseOf(key), undefined);
    bases.look(key, read(undefined));
    assert.equal(shaOf(bases), 'sha of undefined');
    bases.begin(key, read('one'));
    bases.look(key, read('two'));
    assert.equal(shaOf(bases), 'sha of one');
  });

  it('follows a memory to another key, and forgets', () => {
    const bases = new MemoryBases();
    bases.begin(key, read('one'));
    bases.begin('/b', read('old'));
    bases.move(key, '/b');
    assert.deepEqual([bases.baseOf(key), bases.baseOf('/b')?.content], [undefined, 'one']);
    bases.forget('/b');
    assert.equal(bases.baseOf('/b'), undefined);
  });
});
