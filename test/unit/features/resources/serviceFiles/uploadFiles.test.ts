import assert from 'node:assert/strict';
import { hashOf } from '../../../../../src/features/resources/serviceFiles/uploadFiles';

describe('features/resources/serviceFiles/uploadFiles', () => {
  it('hashes a body in parts', async () => {
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
