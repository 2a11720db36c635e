import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import { RequestScanner } from '../../../../src/jsonl/checking/requestScanner';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { RecordWord, ScanStatus } from '../../../../src/jsonl/wasm/requestLayout';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';

const scanner = new RequestScanner();

const options = contractRules('2026-01-01');

interface Scanned {
  readonly status: number;
  readonly notes: number;
  readonly oddities: number;
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly value: string;
}

function scan(text: Uint8Array): Scanned[] {
  const bytes = text.length === 0 || text.at(-1) === 0x0a ? text : Buffer.concat([text, Buffer.from('\n')]);
  scanner.reserve(bytes.length);
  scanner.memory.set(bytes, scanner.inputAt);
  const count = scanner.scan(scanner.inputAt, scanner.inputAt + bytes.length);
  return Array.from({ length: count }, (_, index) => {
    const text = (from: number, to: number) => {
      const at = (word: number) => scanner.records[index * RecordWord.Count + word] ?? 0;
      return Buffer.from(scanner.memory.subarray(at(from), at(to))).toString('utf8');
    };
    return {
      status: scanner.records[index * RecordWord.Count + RecordWord.Status] ?? -1,
      notes: scanner.records[index * RecordWord.Count + RecordWord.Notes] ?? -1,
      oddities: scanner.lineAt(index * RecordWord.Count).oddities,
      id: text(RecordWord.IdStart, RecordWord.IdEnd),
      model: text(RecordWord.ModelStart, RecordWord.ModelEnd),
      text: text(RecordWord.Start, RecordWord.End),
      value: text(RecordWord.ValueStart, RecordWord.ValueEnd),
    };
  });
}

const scanText = (text: string) => scan(Buffer.from(text));

/** Asserts that the scan of a line agrees with the rules. */
function assertTrue(line: string, scanned: Scanned | undefined): void {
  assert.ok(scanned !== undefined);
  if (scanned.status === ScanStatus.Unknown) {
    return;
  }
  const checked = checkRequestLine(line, 0, options);
  assert.ok(scanned.notes !== 0 || scanned.oddities !== 0 || checked.problems.length === 0, line);
  const kinds = { request: ScanStatus.Request, params: ScanStatus.Params, blank: ScanStatus.Blank, invalid: ScanStatus.Other };
  assert.equal(scanned.status, kinds[checked.kind], line);
  if (checked.kind !== 'blank') {
    assert.equal(scanned.id, checked.customId ?? '', line);
    assert.equal(scanned.model, checked.model ?? '', line);
    assert.equal(scanned.value, line.replace(/^[ \t\r]+|[ \t\r]+$/g, ''), line);
  }
}

describe('jsonl/checking/requestScanner', () => {
  it('accepts valid lines of every shape', () => {
    fc.assert(
      fc.property(requestLine, line => {
        const [scanned] = scanText(line);
        assert.notEqual(scanned?.status, ScanStatus.Unknown, line);
        assertTrue(line, scanned);
      }),
      { numRuns: runs(500) },
    );
  });

  it('never accepts a line that the rules reject', () => {
    const piece = fc.constantFrom(
      ...[
        '"',
        '\\',
        ',',
        ':',
        '{',
        '}',
        '[',
        ']',
        '0',
        '-',
        '.',
        'e',
        '\u0001',
        ' ',
        '1',
        'null',
        'true',
        '"x"',
        '{}',
        '[]',
        '\\ud800',
        '\\u0061',
      ],
      ...['"type":', '"model":"m",', '"custom_id"', '"a":1,', 'é', '-1', '1.5', '99999999999999999', '""', '"text"', '"user"', '\t', '\r'],
    );
    const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(6), insert: fc.option(piece, { nil: '' }) });
    fc.assert(
      fc.property(requestLine, fc.array(change, { minLength: 1, maxLength: 3 }), (line, changes) => {
        let text = line;
        for (const { at, remove, insert } of changes) {
          const start = Math.floor(at * text.length);
          text = text.slice(0, start) + insert + text.slice(start + remove);
        }
        // UTF-8 can't encode half a surrogate pair, so such halves are replaced.
        const wellFormed = Buffer.from(text).toString();
        assertTrue(wellFormed, scanText(wellFormed)[0]);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('never accepts a line with a removed or doubled token', () => {
    fc.assert(
      fc.property(requestLine, fc.nat(), fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (line, a, b, how) => {
        const tokens = line.match(/"(?:[^"\\]|\\.)*"|[^"]/g) ?? [];
        const [i, j] = [a % tokens.length, b % tokens.length];
        if (how === 'drop') {
          tokens.splice(i, 1 + (b % 3));
        } else if (how === 'double') {
          tokens.splice(i, 0, ...tokens.slice(i, i + 1 + (b % 5)));
        } else {
          [tokens[i], tokens[j]] = [tokens[j] ?? '', tokens[i] ?? ''];
        }
        const text = tokens.join('');
        assertTrue(text, scanText(text)[0]);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('splits at LF like the line scanner', () => {
    const line = fc.oneof(requestLine, fc.constantFrom('', ' \r', 'nonsense', '{"a":"', '\u2028'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), (lines, terminated) => {
        const text = lines.join('\n') + (terminated && lines.length > 0 ? '\n' : '');
        const expected = text.split('\n');
        assert.deepEqual(
          scanText(text).map(scanned => scanned.text),
          expected.at(-1) === '' ? expected.slice(0, -1) : expected,
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it('leaves uncertain lines to the rules', () => {
    const params = '"model":"m","max_tokens":1,"messages":[]';
    const unknown = [
      `{${params},"metadata":{"a":1,"a":2}}`,
      `{${params},"metadata":{"a":1,"\\u0061":2}}`,
      `{${params},"metadata":{"\\ud83d":1}}`,
      `{${params},"metadata":{"${'\\\\u0061'.repeat(1000)}":1}}`,
      `{${params},"system":"\\ud83d"}`,
      `{${params},"tools":[{"type":5}]}`,
      `{${params},"top_k":1e3}`,
      `{"custom_id":"a","params":{${params},"custom_id":"a"}}`,
      `{${params},"metadata":{"a":${'['.repeat(100)}${']'.repeat(100)}}}`,
      `{${params}} {}`,
    ];
    for (const line of unknown) {
      assert.equal(scanText(line)[0]?.status, ScanStatus.Unknown, line);
    }
  });

  it('recognizes requests by any of their fields, and objects that are neither requests nor params', () => {
    const statuses = ['{"custom_id":"a"}', '{"id":1,"model":"m","params":{}}', '{"id":1,"model":5}', '{"prompt":"x"}', '{}', ' '].map(
      line => scanText(line)[0]?.status,
    );
    const { Request: request, Params: params, Other: other, Blank: blank } = ScanStatus;
    assert.deepEqual(statuses, [request, request, params, other, other, blank]);
    assert.equal(scanText('{"model":"m","params":{}}')[0]?.model, '');
  });

  it('gives similar unfamiliar lines the same number, and others another', () => {
    const line = (params: object) =>
      JSON.stringify({ custom_id: 'a', params: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], ...params } });
    const numberOf = (params: object) => {
      const [scanned] = scanText(line(params));
      assert.equal(scanned?.status, ScanStatus.Request);
      return scanned.oddities;
    };
    assert.equal(numberOf({}), 0);
    assert.equal(numberOf({ system: 'x' }), 0);
    const alike = [
      [{ max_tokens: -1 }, { max_tokens: -20 }],
      [{ max_tokens: undefined }, { max_tokens: undefined, system: 'x' }],
      [{ max_tokens: '1' }, { max_tokens: 'many' }],
      [{ tools: [{ type: 'a' }] }, { tools: [{ type: 'b' }] }],
      [{ thinking: { type: 'on' } }, { thinking: { type: 'off', budget_tokens: 1 } }],
      [
        { messages: [{ role: 'tool', content: 'x' }] },
        {
          messages: [
            { role: 'assistant', content: 'y' },
            { role: 'model', content: 'x' },
          ],
        },
      ],
    ].map(lines => lines.map(numberOf));
    for (const [first, second] of alike) {
      assert.equal(first, second);
    }
    const others = [{ temperature: -1 }, { temperature: 2 }, { top_p: 2 }, { max_tokens: 1.5 }, { max_tokens: null }, { thread: 1 }].map(
      numberOf,
    );
    const numbers = [...others, ...alike.map(([first]) => first)];
    assert.equal(new Set(numbers).size, numbers.length);
    assert.ok(!numbers.includes(0));
  });
});
