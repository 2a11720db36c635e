import assert from 'node:assert/strict';
import { hashOf, KnownUploads } from '../../../../../src/features/resources/serviceFiles/uploadFiles';
import { MemoryMemento } from '../../sessions/memoryMemento';

const upload = (id: string, sha256 = 'abc') => ({ service: 'https://a.example', sha256, id, name: 'a.txt' });

describe('features/resources/serviceFiles/knownUploads', () => {
  it('knows a content again on the service it was uploaded to, until it is forgotten', async () => {
    const known = new KnownUploads(new MemoryMemento());
    await known.add(upload('file_1'));
    assert.equal(known.find('https://a.example', 'abc')?.id, 'file_1');
    assert.equal(known.find('https://b.example', 'abc'), undefined);
    await known.forget('file_1');
    assert.equal(known.find('https://a.example', 'abc'), undefined);
  });

  it('remembers the newest, and passes over what it did not write', async () => {
    const state = new MemoryMemento();
    await state.update('managedAgents.uploads', [{ id: 1 }, 'x', null]);
    const known = new KnownUploads(state);
    for (let number = 0; number < 510; number++) {
      await known.add(upload(`file_${number}`, `hash ${number}`));
    }
    assert.equal(known.find('https://a.example', 'hash 9'), undefined);
    assert.equal(known.find('https://a.example', 'hash 509')?.id, 'file_509');
  });

  it('hashes a body piece by piece', async () => {
    const body = {
      byteLength: 3,
      async *open() {
        yield Buffer.from('a');
        yield Buffer.from('bc');
      },
    };
    assert.equal(await hashOf(body, new AbortController().signal), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
