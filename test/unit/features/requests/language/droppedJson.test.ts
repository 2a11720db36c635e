import assert from 'node:assert/strict';
import fc from 'fast-check';
import { droppedJson } from '../../../../../src/features/requests/language/requestDropProvider';
import { runs } from '../../../../helpers/runs';

const windows = 'C:\\new\\"a".png';

describe('features/requests/language/droppedJson', () => {
  /** Drops at the mark `|`. */
  const drop = (marked: string, text = windows) => {
    const at = marked.indexOf('|');
    const line = marked.replace('|', '');
    const json = droppedJson(line, at, text);
    return json === undefined ? undefined : line.slice(0, at) + json + line.slice(at);
  };

  it('escapes within a string, and quotes where a value can stand', () => {
    assert.equal(drop('{"a":"see |"}'), '{"a":"see C:\\\\new\\\\\\"a\\".png"}');
    assert.equal(drop('{"a":|}', 'x.png'), '{"a":"x.png"}');
    assert.equal(drop('["b",|]', 'x.png'), '["b","x.png"]');
    assert.equal(drop('{"a":"|', 'x"'), '{"a":"x\\"', 'a line that is being written');
  });

  it('inserts nothing that would break the line', () => {
    for (const marked of ['{|"a":1}', '{"a":1|}', '{"a":1}|', '|', ' | ', '{"a":"\\|n"}', '{"a":"\\u00|e9"}', '{"a" |']) {
      assert.equal(drop(marked), undefined, marked);
    }
  });

  it('leaves JSON as JSON, whatever is dropped wherever', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string(), (line, place, text) => {
        const at = place % (line.length + 1);
        const json = droppedJson(line, at, text);
        if (json !== undefined) {
          assert.doesNotThrow(() => JSON.parse(line.slice(0, at) + json + line.slice(at)));
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
