import assert from 'node:assert/strict';
import { readForm } from '../../../../src/emulator/http/readForm';

describe('emulator/http/readForm', () => {
  const type = 'multipart/form-data; boundary=mark';
  const form = (...parts: string[]) => Buffer.from(`${parts.map(part => `--mark\r\n${part}\r\n`).join('')}--mark--\r\n`, 'latin1');

  it('reads every part byte for byte', () => {
    const odd = '\r\n--mar\r\n\x00\xff--mark';
    const parts = readForm(
      type,
      form(
        `Content-Disposition: form-data; name="file"; filename="a b.csv"\r\nContent-Type: text/csv\r\n\r\n${odd}`,
        'content-disposition: form-data; name="note"\r\n\r\n',
      ),
    );
    assert.deepEqual(
      parts.map(({ name, filename, mediaType, content }) => [name, filename, mediaType, content.toString('latin1')]),
      [
        ['file', 'a b.csv', 'text/csv', odd],
        ['note', undefined, undefined, ''],
      ],
    );
  });

  it('accepts a quoted boundary and a preamble', () => {
    const body = Buffer.concat([Buffer.from('ignore me\r\n'), form('Content-Disposition: form-data; name="x"\r\n\r\n1')]);
    assert.equal(readForm('Multipart/Form-Data; charset=utf-8; boundary="mark"', body)[0]?.content.toString(), '1');
  });

  it('rejects anything but a form', () => {
    const whole = form('Content-Disposition: form-data; name="x"\r\n\r\n1');
    assert.throws(() => readForm(undefined, whole), /Content-Type/);
    assert.throws(() => readForm('multipart/form-data', whole), /boundary/);
    for (const broken of [Buffer.from(''), whole.subarray(0, whole.length - 6), whole.subarray(0, 40), Buffer.from('--mark\r\nno end')]) {
      assert.throws(() => readForm(type, broken), /Invalid multipart body/);
    }
  });
});
