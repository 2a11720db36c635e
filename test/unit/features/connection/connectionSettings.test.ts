import assert from 'node:assert/strict';
import { checkName, defaultLimits, parseConnections, toSetting } from '../../../../src/features/connection/connectionSettings';
import { fillPlaceholders } from '../requests/fillPlaceholders';

const parse = (value: unknown) => parseConnections(value, fillPlaceholders);

describe('features/connection/connectionSettings', () => {
  it('fills in defaults', () => {
    assert.deepEqual(parse({ Team: { baseUrl: 'https://a.example/v1/' } }), {
      connections: [
        {
          name: 'Team',
          baseUrl: 'https://a.example',
          auth: 'x-api-key',
          dialect: 'contract',
          extraBetas: [],
          limits: defaultLimits,
          allowInsecureHttp: false,
          isEmulator: false,
        },
      ],
      problems: [],
    });
  });

  it('reads every field', () => {
    const entry = {
      baseUrl: 'http://a.example',
      auth: 'bearer',
      dialect: 'anthropic-2026',
      betas: ['one-1', 'two'],
      maxRequests: 10,
      maxBytes: 1000,
      allowInsecureHttp: true,
    };
    const { connections, problems } = parse({ Team: entry });
    assert.deepEqual(problems, []);
    assert.equal(connections[0]?.auth, 'bearer');
    assert.equal(connections[0]?.dialect, 'anthropic-2026');
    assert.deepEqual(connections[0]?.extraBetas, ['one-1', 'two']);
    assert.deepEqual(connections[0]?.limits, { maxRequests: 10, maxBytes: 1000 });
    assert.equal(connections[0]?.allowInsecureHttp, true);
    assert.deepEqual(toSetting(connections[0] as NonNullable<(typeof connections)[0]>), entry);
  });

  it('reads the valid entries beside an invalid one', () => {
    const { connections, problems } = parse({
      none: null,
      text: 'https://a.example',
      list: [],
      noUrl: { auth: 'bearer' },
      badUrl: { baseUrl: 'https://key@a.example' },
      emulator: { baseUrl: 'https://a.example' },
      ' spaced': { baseUrl: 'https://a.example' },
      Good: { baseUrl: 'https://a.example' },
    });
    assert.deepEqual(
      connections.map(({ name }) => name),
      ['Good'],
    );
    assert.deepEqual(
      problems.map(({ name, isFatal }) => [name, isFatal]),
      [
        ['none', true],
        ['text', true],
        ['list', true],
        ['noUrl', true],
        ['badUrl', true],
        ['emulator', true],
        [' spaced', true],
      ],
    );
  });

  it('ignores an invalid field, says so, and never shows a secret in the address', () => {
    const { connections, problems } = parse({
      A: {
        baseUrl: 'https://a.example',
        auth: 'basic',
        dialect: 7,
        betas: ['a b'],
        maxRequests: 0,
        maxBytes: 1.5,
        allowInsecureHttp: 'yes',
      },
      B: { baseUrl: 'https://sk-secret@a.example' },
    });
    assert.equal(connections[0]?.auth, 'x-api-key');
    assert.equal(problems.filter(({ name, isFatal }) => name === 'A' && !isFatal).length, 6);
    assert.equal(JSON.stringify(problems).includes('sk-secret'), false);
  });

  it('reports that nothing is sent over plain http unless it is allowed', () => {
    const { connections, problems } = parse({ A: { baseUrl: 'http://a.example' } });
    assert.equal(connections.length, 1);
    assert.match(problems[0]?.message ?? '', /to use plain http with a\.example/);
  });

  it("survives a setting that isn't an object", () => {
    for (const value of ['x', 1, [], true]) {
      assert.equal(parse(value).problems[0]?.name, undefined);
      assert.equal(parse(value).problems.length, 1);
    }
    assert.deepEqual(parse(null), { connections: [], problems: [] });
    assert.deepEqual(parse(undefined), { connections: [], problems: [] });
  });

  it('accepts any name, including names of object properties', () => {
    const { connections } = parse(
      JSON.parse('{"__proto__": {"baseUrl": "https://a.example"}, "toString": {"baseUrl": "https://b.example"}}'),
    );
    assert.deepEqual(
      connections.map(({ name }) => name),
      ['__proto__', 'toString'],
    );
  });

  it('rejects names that are empty, taken, invisible or the emulator’s', () => {
    const others = [{ name: 'Team' }];
    assert.equal(checkName('New', others, fillPlaceholders), undefined);
    for (const name of ['', ' ', 'Team', 'Emulator', 'EMULATOR', 'a\u202eb', 'a\nb', 'x'.repeat(101)]) {
      assert.notEqual(checkName(name, others, fillPlaceholders), undefined, JSON.stringify(name));
    }
  });
});
