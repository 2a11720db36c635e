import assert from 'node:assert/strict';
import { readForm } from '../../../../src/emulator/http/readForm';
import type { Exchange } from '../../../../src/emulator/http/serverExchange';

describe('emulator/http/readForm', () => {
  const mark = 'mark-of-a-form-in-a-test-of-it';
  const type = `multipart/form-data; boundary=${mark}`;
  const form = (...parts: string[]) => Buffer.from(`${parts.map(part => `--${mark}\r\n${part}\r\n`).join('')}--${mark}--\r\n`, 'latin1');
  const read = (contentType: string | undefined, body: Buffer) =>
    readForm({ header: () => contentType, bytes: async () => body } as object as Exchange, 1_000_000);

  it('reads every part byte for byte', async () => {
    const odd = `\r\n--mar\r\n\x00\xff--`;
    const found = await read(
      type,
      form(
        `Content-Disposition: form-data; name="file"; filename="b/a b.csv"\r\nContent-Type: text/csv\r\n\r\n${odd}`,
        'content-disposition: form-data; name="note"\r\n\r\n',
      ),
    );
    const file = found.get('file');
    assert.ok(file instanceof File);
    assert.deepEqual([file.name, file.type, Buffer.from(await file.arrayBuffer()).toString('latin1')], ['b/a b.csv', 'text/csv', odd]);
    assert.equal(found.get('note'), '');
  });

  it('accepts a quoted boundary', async () => {
    const found = await read(
      `Multipart/Form-Data; charset=utf-8; boundary="${mark}"`,
      form('Content-Disposition: form-data; name="x"\r\n\r\n1'),
    );
    assert.equal(found.get('x'), '1');
  });

  it('rejects anything but a form', async () => {
    const whole = form('Content-Disposition: form-data; name="x"\r\n\r\n1');
    await assert.rejects(read(undefined, whole), /Content-Type/);
    await assert.rejects(read('multipart/form-data', whole), /boundary/);
    for (const broken of [
      Buffer.from(''),
      whole.subarray(0, whole.length - 6),
      whole.subarray(0, 60),
      Buffer.from(`--${mark}\r\nno end`),
    ]) {
      await assert.rejects(read(type, broken), /Invalid multipart body/);
    }
  });
});
