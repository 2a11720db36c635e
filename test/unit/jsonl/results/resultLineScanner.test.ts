import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ResultLineScanner, type Span } from '../../../../src/jsonl/results/resultLineScanner';
import { ResultsScanner } from '../../../../src/jsonl/results/resultsScanner';
import { decodeString } from '../../../../src/jsonl/scanning/jsonBytes';
import { runs } from '../../../helpers/runs';

interface Facts {
  readonly customId: string;
  readonly result: unknown;
  readonly type: string | undefined;
  readonly stopReason: string | undefined;
  readonly model: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly isCounted: boolean;
  readonly errorType: string | undefined;
  readonly errorMessage: string | undefined;
  readonly text: string | undefined;
}

type Loose = Readonly<Record<string, unknown>>;

/** Returns the facts that the scanner should find, or `undefined` if the line isn't a result. Uses `JSON.parse`. */
function parse(line: string): Facts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value.custom_id !== 'string' || !isObject(value.result)) {
    return undefined;
  }
  const { result } = value;
  const message = objectOf(result.message);
  const usage = objectOf(message.usage);
  const written = objectOf(usage.cache_creation);
  const outer = objectOf(result.error);
  const error = isObject(outer.error) ? outer.error : outer;
  const blocks: readonly unknown[] = Array.isArray(message.content) ? message.content : [];
  return {
    customId: value.custom_id,
    result,
    type: stringOf(result.type),
    stopReason: stringOf(message.stop_reason),
    model: stringOf(message.model),
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
    cacheWrite5mTokens: countOf(written.ephemeral_5m_input_tokens),
    cacheWrite1hTokens: countOf(written.ephemeral_1h_input_tokens),
    isCounted: typeof usage.input_tokens === 'number' && typeof usage.output_tokens === 'number',
    errorType: stringOf(error.type),
    errorMessage: stringOf(error.message),
    text: blocks.map(block => stringOf(objectOf(block).text)).find(text => text !== undefined),
  };
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Loose {
  return isObject(value) ? value : {};
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? Math.min(Math.max(Math.round(value), 0), 0xffff_ffff) : 0;
}

const fast = new ResultsScanner();
const fastBuffer = fast.buffer(4 << 20);

/** Returns the facts that both scanners find in a line between other lines. */
function scan(line: string): Facts | undefined {
  const before = '{"custom_id":"before","result":{"error":{"type":"x","error":{"type":"y"}}}}\n{"custom_id":"x"\n';
  const text = `${before}${line}\n{"custom_id":"next","result":{}}\n`;
  const bytes = Buffer.from(text);
  const slow = new ResultLineScanner();
  slow.use(bytes);
  const facts = factsOf(slow, bytes, before, line);
  fastBuffer.set(bytes);
  fast.region(bytes.length);
  assert.equal(fast.scan(0), before.indexOf('\n'));
  assert.equal(fast.scan(before.indexOf('\n') + 1), -1);
  assert.deepEqual(factsOf(fast, fastBuffer, before, line), facts, line);
  return facts;
}

function factsOf(scanner: ResultLineScanner, bytes: Buffer, before: string, line: string): Facts | undefined {
  const end = scanner.scan(before.length);
  if (end < 0) {
    return undefined;
  }
  assert.equal(end, before.length + Buffer.byteLength(line));
  const text = (span: Span) => (span.present ? decodeString(bytes, span.start, span.end) : undefined);
  return {
    customId: text(scanner.customId) ?? assert.fail('no id'),
    result: bytes.toString('utf8', scanner.result.start, scanner.result.end),
    type: text(scanner.type),
    stopReason: text(scanner.stopReason),
    model: text(scanner.model),
    inputTokens: scanner.inputTokens,
    outputTokens: scanner.outputTokens,
    cacheReadTokens: scanner.cacheReadTokens,
    cacheWriteTokens: scanner.cacheWriteTokens,
    cacheWrite5mTokens: scanner.cacheWrite5mTokens,
    cacheWrite1hTokens: scanner.cacheWrite1hTokens,
    isCounted: scanner.isCounted,
    errorType: text(scanner.errorType),
    errorMessage: text(scanner.errorMessage),
    text: text(scanner.text),
  };
}

function check(line: string): void {
  const facts = scan(line);
  assert.deepEqual(facts === undefined ? undefined : { ...facts, result: JSON.parse(String(facts.result)) }, parse(line), line);
}

const words = [
  'custom_id',
  'result',
  'type',
  'message',
  'error',
  'stop_reason',
  'usage',
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cache_creation',
  'ephemeral_5m_input_tokens',
  'ephemeral_1h_input_tokens',
  'model',
  'content',
  'text',
  '__proto__',
  'x',
  '',
  'q"\\\u2028\u0007\ud83d\ude00',
];

/** JSON notations of a string, with and without escapes. */
const stringText = fc
  .tuple(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme', maxLength: 8 })), fc.constantFrom(0, 0, 0, 1, 2))
  .map(([text, way]) => {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return way === 0
      ? JSON.stringify(text)
      : `"${Array.from({ length: text.length }, (_, at) => (way === 1 || at % 2 === 0 ? escaped(text.charAt(at)) : JSON.stringify(text.charAt(at)).slice(1, -1))).join('')}"`;
  })
  .filter(text => !/[\ud800-\udfff]/u.test(text));

const space = fc.constantFrom('', '', '', ' ', '\t', ' \r ');

/** JSON text with many of the relevant keys, in any order and with duplicates. */
const valueText: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    stringText,
    fc.constantFrom('0', '-0', '12', '3.5e2', '1E+3', '4294967296', '-7', '1e999', 'true', 'false', 'null', '[]', '{}'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 3 }).map(items => `[${items.join(' , ')}]`),
  ),
  object: fc
    .array(fc.tuple(space, stringText, space, tie('value')), { maxLength: 5 })
    .map(entries => `{${entries.map(([before, key, after, value]) => `${before}${key}${after}:${after}${value}${before}`).join(',')}}`),
})).value;

const key = (name: string, value: fc.Arbitrary<string>) => value.map(text => `"${name}":${text}`);

function object(...entries: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const any = fc.tuple(stringText, valueText).map(([name, value]) => `${name}:${value}`);
  return fc
    .tuple(
      fc.shuffledSubarray([...entries.keys()], { minLength: Math.max(entries.length - 1, 0) }),
      fc.tuple(...entries),
      fc.array(any, { maxLength: 2 }),
    )
    .map(([order, texts, others]) => `{${[...others.slice(1), ...order.map(index => texts[index]), ...others.slice(0, 1)].join(',')}}`);
}

const message = object(
  key('model', fc.oneof(stringText, valueText)),
  key('stop_reason', fc.oneof(stringText, valueText)),
  key(
    'usage',
    object(
      key('input_tokens', valueText),
      key('output_tokens', fc.nat().map(String)),
      key('cache_read_input_tokens', fc.oneof(fc.nat().map(String), fc.constant('null'), valueText)),
      key('cache_creation_input_tokens', fc.oneof(fc.nat().map(String), fc.constant('null'), valueText)),
      key(
        'cache_creation',
        fc.oneof(
          object(
            key('ephemeral_5m_input_tokens', fc.oneof(fc.nat().map(String), valueText)),
            key('ephemeral_1h_input_tokens', fc.oneof(fc.nat().map(String), valueText)),
          ),
          valueText,
        ),
      ),
    ),
  ),
  key(
    'content',
    fc
      .array(fc.oneof(object(key('type', stringText), key('text', stringText)), valueText), { maxLength: 3 })
      .map(items => `[${items.join(',')}]`),
  ),
);
const errorBody = object(key('type', stringText), key('message', stringText));
const result = object(
  key('type', fc.oneof(fc.constant('"succeeded"'), stringText)),
  key('message', fc.oneof(message, valueText)),
  key('error', fc.oneof(object(key('type', stringText), key('error', errorBody)), errorBody, valueText)),
);
const line = object(
  key('custom_id', fc.oneof(stringText, valueText)),
  key('result', fc.oneof({ weight: 4, arbitrary: result }, valueText)),
);

describe('jsonl/results/resultLineScanner, jsonl/results/resultsScanner', () => {
  it('finds what JSON.parse finds, for any order, escapes and duplicates of keys', () => {
    fc.assert(fc.property(line, check), { numRuns: runs(2000) });
  });

  it('accepts no line that JSON.parse rejects', () => {
    const damage = fc.tuple(
      line,
      fc.nat(),
      fc.constantFrom('', '"', '\\', '\u0001', ',', '}', ']', ':', '0', 'e', '-', 'x', '\r'),
      fc.nat(2),
    );
    fc.assert(
      fc.property(damage, ([text, place, put, dropped]) => {
        const characters = Array.from(text);
        characters.splice(place % (characters.length + 1), dropped, put);
        check(characters.join(''));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('distinguishes unfamiliar lines as JSON.parse does', () => {
    for (const text of [
      '{"custom_id":"a","result":{"type":"succeeded","message":{"custom_id":"inner","content":[{"type":"text","text":"hi"}]}}}',
      '{"custom_id":"a","custom_id":"b","result":{"type":"errored"},"result":{"type":"expired"}}',
      '{"custom_id":"a","custom_id":7,"result":{"type":"expired"}}',
      '{"custom_id":"a","result":{"type":"expired"},"result":null}',
      '{"result":{"type":"succeeded","message":{"stop_reason":"max_tokens"},"message":{}},"custom_id":"a"}',
      '{"custom_id":"__proto__","result":{"type":"canceled","__proto__":{"type":"errored"}}}',
      '{"custom\\u005fid":"\\u0061","result":{"type":"cancele\\u0064"}}',
      '{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"api_error","message":"no"}}}}',
      '{"custom_id":"a","result":{"type":"errored","error":{"type":"api_error","message":"no","error":null}}}',
      '{"custom_id":"a","result":{"message":{"usage":{"input_tokens":01}}}}',
      '{"custom_id":"a","result":{"type":"errored","error":{"type":"x","message":"\\ud83d\\uDE00 \\u00e9 \\uFfFf"}}}',
      '{"custom_id":"a","result":{"type":"errored","error":{"type":"x","message":"half \\ud83d"},"x":"\\ude00\\ud83d"}}',
      '{"custom_id":"a","result":{"type":"errored","error":{"type":"x","message":"\\ud83d\\u0061"}}}',
      '{"custom_id":"a","result":{"type":"errored","error":{"type":"x","message":"\\u00g0"}}}',
      '{"custom_id":"a","result":{"message":{"usage":{"cache_creation":{"ephemeral_1h_input_tokens":7},"cache_creation":{}}}}}',
      '{"custom_id":"a","result":{}} x',
      '{"custom_id":"a","result":{},}',
      '{"custom_id":"a","result":[]}',
      '{"custom_id":"a\tb","result":{}}',
      '[{"custom_id":"a","result":{}}]',
      '{}',
      '',
    ]) {
      check(text);
    }
  });

  it('reads unfamiliar lines slowly and all others fast', () => {
    const lines = [
      '{"custom_id":"a","result":{"type":"succeeded","message":{"stop_reason":"end_turn","content":[{"type":"text","text":"\\n"}]}}}',
      '{"custom_id":"\\u0061","result":{}}',
    ];
    const known = lines.map(line => {
      const scanner = new ResultsScanner();
      scanner.buffer(1000).write(`${line}\n`);
      scanner.region(line.length + 1);
      // Hides the line from the slow scanner, so that only the fast scan can read the line.
      scanner.use(Buffer.from('\n'));
      return scanner.scan(0) === line.length;
    });
    assert.deepEqual(known, [true, false]);
  });

  it('walks any nesting', () => {
    const deep = 200_000;
    assert.deepEqual(
      scan(`{"custom_id":"a","result":{"type":"expired","x":${'[{"a":'.repeat(deep)}1${'}]'.repeat(deep)}}}`)?.type,
      'expired',
    );
    assert.equal(scan(`{"custom_id":"a","result":{"type":"expired","x":${'[{"a":'.repeat(deep)}1${'}]'.repeat(deep - 1)}}}`), undefined);
  });
});
