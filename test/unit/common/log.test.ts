import assert from 'node:assert/strict';
import { Log } from '../../../src/common/log';
import { describeError } from '../../../src/common/text/describeError';
import { encodingsOf } from '../shared/encodings';

const key = 'CANARY-k7/0123456789+ab=cdef_gh.IJ';

describe('common/log', () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = new Log({ debug: write, info: write, warn: write, error: write } as never);
  log.hide(key);

  beforeEach(() => {
    lines.length = 0;
  });

  it('redacts a known key from every line, in any encoding', () => {
    for (const [name, text] of encodingsOf(key)) {
      lines.length = 0;
      log.error('failed', new Error('outer', { cause: new Error(`inner ${text}!`) }));
      assert.match(lines.join(), /\[redacted\]/, name);
      assert.ok(!lines.join().includes(text), name);
    }
    lines.length = 0;
    log.debug(key);
    log.info(key);
    log.warn(key);
    assert.deepEqual(lines, Array(3).fill('[redacted]'));
  });

  it('redacts cookies and quotes of JSON.parse, in causes too', () => {
    let thrown: unknown;
    try {
      JSON.parse(`{"a": ${key}}`);
    } catch (error) {
      thrown = error;
    }
    log.error('The answer could not be read', new Error(`set-cookie: sid=${key.slice(0, 7)}; Path=/`, { cause: thrown }));
    assert.doesNotMatch(lines.join(), /CANA/);
    assert.match(lines.join(), /Caused by: SyntaxError/);
    assert.doesNotMatch(describeError(thrown), /CANA|a":/);
  });
});
