import assert from 'node:assert/strict';
import { imageTypeOf } from '../../../../../../src/common/files/mediaTypes';
import { toContentBlocks } from '../../../../../../src/features/sessions/panel/parts/resultFile';

const bytes = (start: string, rest = '....') => Buffer.from(start + rest, 'latin1');
const pictures = [
  ['image/png', bytes('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', bytes('\xff\xd8\xff\xe0')],
  ['image/gif', bytes('GIF89a')],
  ['image/webp', bytes('RIFF\x10\0\0\0WEBP')],
] as const;

describe('features/sessions/panel/parts/toContentBlocks imageType', () => {
  for (const [mediaType, picture] of pictures) {
    it(`recognizes ${mediaType} by its first bytes`, () => {
      assert.equal(imageTypeOf(picture)?.mediaType, mediaType);
    });
  }

  it('recognizes nothing else as an image', () => {
    for (const other of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF....WAVE', '%PDF-1.7', 'GIF', 'MZ']) {
      assert.equal(imageTypeOf(bytes(other, '')), undefined);
    }
  });
});

describe('features/sessions/panel/parts/toContentBlocks', () => {
  it('converts text and JSON unchanged', () => {
    assert.deepEqual(toContentBlocks(Buffer.from('{"a": 1.0}\n')), [{ type: 'text', text: '{"a": 1.0}\n' }]);
    assert.deepEqual(toContentBlocks(Buffer.from('Grüße 🙂')), [{ type: 'text', text: 'Grüße 🙂' }]);
    assert.deepEqual(toContentBlocks(new Uint8Array()), []);
  });

  it('converts images and PDF documents', () => {
    const [, png] = pictures[0];
    assert.deepEqual(toContentBlocks(png), [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
    ]);
    assert.deepEqual(toContentBlocks(bytes('%PDF-1.7')), [
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: bytes('%PDF-1.7').toString('base64') } },
    ]);
  });

  it('rejects other bytes', () => {
    assert.equal(toContentBlocks(Buffer.from([0xff, 0xfe, 0x41])), undefined);
    assert.equal(toContentBlocks(Buffer.from('ELF\0\0')), undefined);
  });
});
