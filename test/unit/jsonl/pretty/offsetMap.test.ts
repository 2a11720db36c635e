import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toJsonTokens } from '../../../../src/jsonl/pretty/jsonTokens';
import { OffsetMap } from '../../../../src/jsonl/pretty/offsetMap';
import { toPretty } from '../../../../src/jsonl/pretty/prettyLine';
import { spacedLine } from './spacedJson';

describe('jsonl/pretty/offsetMap', () => {
  it('is ascending, and its own inverse on tokens', () => {
    fc.assert(
      fc.property(spacedLine, line => {
        const pretty = toPretty(line);
        const map = OffsetMap.between(line, pretty);
        const back = OffsetMap.between(pretty, line);
        let before = 0;
        for (let offset = 0; offset <= line.length; offset++) {
          const mapped = map.map(offset);
          assert.ok(mapped >= before && mapped <= pretty.length, `${offset} of ${JSON.stringify(line)}`);
          before = mapped;
        }
        const { starts, ends } = toJsonTokens(line);
        starts.forEach((start, index) => {
          for (let offset = start; offset < (ends[index] ?? 0); offset++) {
            assert.equal(pretty[map.map(offset)], line[offset]);
            assert.equal(back.map(map.map(offset)), offset);
          }
        });
      }),
    );
  });

  it('stays in range of an edited text', () => {
    const line = '{"a":1,"b":[true,"words"],"c":3}';
    const edited = '{\n  "a": 100,\n  "new": {},\n  "b": [\n    true,\n    "words"\n  ],\n  "c": 3\n}\n';
    const map = OffsetMap.between(edited, line);
    const at = (words: string, shift = 0) => map.map(edited.indexOf(words) + shift);
    assert.equal(line.slice(at('"words"', 3)), 'rds"],"c":3}');
    assert.equal(line.slice(at('100', 2)), '1,"b":[true,"words"],"c":3}');
    assert.equal(line.slice(at('new')), '1,"b":[true,"words"],"c":3}');
    assert.equal(line.slice(at('3\n')), '3}');
    let before = 0;
    for (let offset = 0; offset <= edited.length; offset++) {
      assert.ok(map.map(offset) >= before);
      before = map.map(offset);
    }
  });

  it('handles empty texts', () => {
    assert.equal(OffsetMap.between('', '').map(0), 0);
    assert.equal(OffsetMap.between('  ', '{}').map(1), 0);
    assert.equal(OffsetMap.between('{}', '').map(2), 0);
  });
});
