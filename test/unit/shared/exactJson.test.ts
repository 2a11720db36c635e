import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keepDigits, parseExact, writeJson } from '../../../src/shared/exactJson';
import { maskSecrets } from '../../../src/shared/maskedJson';
import { JsonSchema } from '../../../src/shared/schema/jsonSchema';
import { hasTwins, isEqual } from '../../../src/shared/schema/jsonValues';
import { runs } from '../../helpers/runs';

describe('shared/exactJson', () => {
  it('writes numbers with their original digits, at any depth', () => {
    for (const json of [
      '9007199254740993',
      '[1e400,-1e-400,0.10,1.0,-0,12345678901234567890,0.00000001,1E5,-1.50]',
      '{"a\\"9007199254740993":{"b":[9007199254740993,"9007199254740993","1.0",null,true]},"__proto__":1.0,"toString":2.0}',
      '{"text":"1.0 and 9007199254740993 \\\\","n":1.0}',
      '[[],{},[{}],"",0]',
    ]) {
      assert.equal(writeJson(parseExact(json)), json);
    }
    assert.equal(writeJson(parseExact('{"a":[1.0,{}],"b":[]}'), '  '), '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": []\n}');
    assert.equal(writeJson(parseExact('{"a":1.0,"a":"1.0"}')), '{"a":"1.0"}');
    assert.throws(() => parseExact('{"a":01.0}'), SyntaxError);
  });

  it('reads and writes like JSON.parse and JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const json = JSON.stringify(value);
        assert.equal(writeJson(parseExact(json)), json);
        assert.equal(writeJson(parseExact(json), '  '), JSON.stringify(value, undefined, 2));
      }),
      { numRuns: runs(100) },
    );
  });

  it('keeps digits beside masked secrets', () => {
    const json = '{"n":9007199254740993,"api_key":"k","list":[{"password":"x","m":1e400}]}';
    assert.equal(
      writeJson(keepDigits(maskSecrets(JSON.parse(json)), json)),
      '{"n":9007199254740993,"api_key":"[hidden]","list":[{"password":"[hidden]","m":1e400}]}',
    );
  });

  it('compares exact values', () => {
    const same = (a: string, b: string) => isEqual(parseExact(a), parseExact(b));
    assert.equal(same('{"a":0.10,"b":[1.0]}', '{"b":[1],"a":0.1}'), true);
    assert.equal(same('9007199254740993', '9007199254740992'), false);
    assert.equal(same('9007199254740993.0', '9007199254740993'), true);
    assert.equal(same('1e400', '2e400'), false);
    assert.equal(same('1e400', '"1e400"'), false);
    assert.equal(same('1.0', '{}'), false);
    assert.equal(hasTwins(parseExact('[9007199254740993,9007199254740992]') as unknown[]), false);
    assert.equal(hasTwins(parseExact('[9007199254740993,9007199254740993.0]') as unknown[]), true);
    assert.equal(hasTwins(parseExact('[{"a":1.0},{"a":1}]') as unknown[]), true);
  });

  it('checks numbers against a schema by their digits', () => {
    const fits = (schema: string, value: string) => {
      const read = new JsonSchema(parseExact(schema));
      assert.deepEqual(read.problems, []);
      return read.check(parseExact(value)) === undefined;
    };
    assert.equal(fits('{"const":9007199254740993}', '9007199254740992'), false);
    assert.equal(fits('{"enum":[1.0]}', '1'), true);
    assert.equal(fits('{"maximum":9007199254740992}', '9007199254740993'), false);
    assert.equal(fits('{"exclusiveMinimum":9007199254740992}', '9007199254740993'), true);
    assert.equal(fits('{"maximum":1e400}', '2e400'), false);
    assert.equal(fits('{"type":"integer"}', '9007199254740993'), true);
    assert.equal(fits('{"type":"integer"}', '1.0'), true);
    assert.equal(fits('{"type":"integer"}', '0.10'), false);
    assert.equal(fits('{"type":["object","array","string","boolean","null"]}', '1.0'), false);
    assert.equal(fits('{"type":"number","multipleOf":0.10}', '0.30'), true);
    assert.equal(fits('{"required":["a"]}', '1.0'), true);
    assert.equal(fits('{"minLength":1.0,"maxItems":2.0}', '"x"'), true);
  });

  it('does hardly more work for a deep or long text', () => {
    const deep = `${'['.repeat(50_000)}1.0${']'.repeat(50_000)}`;
    assert.doesNotThrow(() => parseExact(deep));
    assert.equal(isEqual(parseExact(deep), parseExact(deep)), false);
  });
});
