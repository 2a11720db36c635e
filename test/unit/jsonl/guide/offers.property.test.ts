import assert from 'node:assert/strict';
import { batchRequestSchema } from '../../../../src/contract/batchRequest';
import { listIssues } from '../../../../src/contract/messageParamsIssues';
import { findCursor } from '../../../../src/jsonl/guide/cursorPosition';
import { explain } from '../../../../src/jsonl/guide/explain';
import { findOffers, toSnippet } from '../../../../src/jsonl/guide/offers';
import { outlineOf } from '../../../../src/jsonl/guide/requestOutline';
import { findSelections } from '../../../../src/jsonl/guide/selections';
import { runs, someOf } from '../../../helpers/runs';
import { choose, fillSnippet, requestSchema, requestSchemaFile } from './guideSchema';

/** Returns every object that can be offered as an item of `field`, separated by commas. */
function samples(field: string): string {
  const line = `{"custom_id":"a","params":{"${field}":[]}}`;
  const { offers } = findOffers(requestSchema, line, line.indexOf('[') + 1);
  return offers.flatMap(({ kind, insert }) => (kind === 'snippet' && insert.startsWith('{') ? [fillSnippet(insert)] : [])).join(',');
}

function blocks(): string {
  const line = '{"custom_id":"a","params":{"messages":[{"role":"user","content":[]}]}}';
  const { offers } = findOffers(requestSchema, line, line.lastIndexOf('[') + 1);
  return offers.flatMap(({ kind, insert }) => (kind === 'snippet' && insert.startsWith('{') ? [fillSnippet(insert)] : [])).join(',');
}

const lines = [
  '{"custom_id": "a", "params": {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "say \\"hi\\" {[,:"}]}}',
  `{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[${blocks()}]}]}}`,
  `{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[],"tools":[${samples('tools')}]}}`,
  `{"model":"m","max_tokens":1,"messages":[],"mcp_servers":[${samples('mcp_servers')}],"container":{"id":null,"skills":[{"skill_id":"s","type":"custom"}]}}`,
  '{"custom_id":"a","params":{"model":"m","max_tokens":2048,"messages":[],"thinking":{"type":"enabled","budget_tokens":1024},"tool_choice":{"type":"tool","name":"x"},"context_management":{"edits":[{"type":"clear_tool_uses_20250919","keep":{"type":"tool_uses","value":1},"trigger":{"type":"input_tokens","value":9}}]},"fallbacks":[{"model":"n"}],"output_config":{"format":{"type":"json_schema","schema":{}},"task_budget":{"type":"tokens","total":2000}},"fallback_credit_token":{"token":"t"},"cache_control":{"type":"ephemeral"},"system":[{"type":"text","text":"s"}],"metadata":{},"diagnostics":{}}}',
];

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

/** Returns the rule of each problem that the schema finds, by rule and path. */
function issuesOf(line: string): Map<string, string> {
  const value: unknown = JSON.parse(line);
  const request = typeof value === 'object' && value !== null && 'params' in value ? value : { custom_id: 'a', params: value };
  const { error } = batchRequestSchema.safeParse(request);
  return new Map((error === undefined ? [] : listIssues(error, request)).map(({ rule, path }) => [`${rule} ${path.join('.')}`, rule]));
}

describe('jsonl/guide/offers (properties)', () => {
  it('never throws at any column of any prefix of a line', () => {
    for (const line of lines) {
      const stride = Math.max(1, Math.floor(line.length / runs(150, 30)));
      for (let length = 0; length <= line.length; length += stride) {
        const begin = line.slice(0, length);
        for (const column of new Set([0, Math.floor(length / 2), length - 1, length])) {
          findOffers(requestSchema, begin, column);
          explain(requestSchema, begin, column);
          findSelections(begin, column);
        }
        outlineOf(begin, true);
      }
    }
  });

  it('never throws when any one character is missing', () => {
    for (const line of lines.slice(0, 1)) {
      for (const gone of someOf(upTo(line.length - 1), 20)) {
        const broken = line.slice(0, gone) + line.slice(gone + 1);
        for (let column = 0; column <= broken.length; column++) {
          findOffers(requestSchema, broken, column);
          explain(requestSchema, broken, column);
        }
      }
    }
  });

  for (const [index, line] of lines.entries()) {
    it(`keeps line ${index} valid with any offered field or value, except placeholders to fill in`, () => {
      const before = issuesOf(line);
      let tried = 0;
      for (const column of someOf(upTo(line.length), 150)) {
        const found = findOffers(requestSchema, line, column);
        for (const offer of found.offers) {
          const after = choose(line, found, offer);
          tried++;
          for (const [place, rule] of issuesOf(after)) {
            const isNew = !before.has(place);
            // A changed `type` selects another variant, so the other fields may become wrong.
            const isType = line.slice(0, found.start).trimEnd().endsWith('"type":') || /"type"$/.test(offer.insert);
            // A renamed key gives its value another meaning.
            const isRename = line[found.end] === ':';
            const allowed = ['missing-field', 'text-length', 'text-pattern', 'value-not-allowed', 'item-count', 'number-out-of-range'];
            assert.ok(!isNew || isType || isRename || allowed.includes(rule), `${place} after ${offer.label} at ${column}: ${after}`);
          }
        }
      }
      assert.ok(tried > 100, String(tried));
    });
  }

  it('changes a line only by its insertion after an unclosed quotation mark', () => {
    for (const line of lines) {
      let tried = 0;
      for (let column = 0; column <= line.length; column++) {
        const { kind, token, commaBefore } = findCursor(line, column);
        // After a value without a comma, a quotation mark is ambiguous.
        if (kind !== 'key' || token !== undefined || commaBefore) {
          continue;
        }
        const typed = `${line.slice(0, column)}"${line.slice(column)}`;
        const found = findOffers(requestSchema, typed, column + 1);
        for (const offer of found.offers) {
          tried++;
          assert.ok(choose(typed, found, offer).endsWith(line.slice(column).trimStart()), `${offer.label} at ${column}: ${typed}`);
        }
      }
      assert.ok(tried > 5, line);
    }
  });

  it('writes every snippet of the schema as JSON', () => {
    const seen: string[] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) {
        return;
      }
      const { defaultSnippets } = node as { defaultSnippets?: readonly { readonly label: string; readonly body: unknown }[] };
      for (const { label, body } of Array.isArray(defaultSnippets) ? defaultSnippets : []) {
        JSON.parse(fillSnippet(toSnippet(body, { colon: ': ', comma: ', ' })));
        seen.push(label);
      }
      for (const child of Object.values(node)) {
        walk(child);
      }
    };
    walk(requestSchemaFile);
    assert.ok(seen.length > 40, seen.join());
  });
});
