import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/features/connection';
import { type DiagnosticsFacts, toDiagnosticsReport } from '../../../../src/features/diagnostics/copyDiagnostics';
import type { Submission } from '../../../../src/features/ledger';

const canary = 'CANARY7731';

const connection: Connection = {
  name: `Team ${canary}`,
  baseUrl: `https://${canary}.example/${canary}/`,
  auth: 'bearer',
  dialect: 'anthropic-2023',
  extraBetas: [`beta-${canary}`],
  limits: { maxRequests: 10, maxBytes: 2000 },
  allowInsecureHttp: false,
  isEmulator: false,
};

const submission = {
  id: canary,
  connection: connection.name,
  source: `file:///home/${canary}/evals.jsonl`,
  state: 'created',
  problem: canary,
  batchId: canary,
  batch: { id: canary, processing_status: 'ended' },
} as unknown as Submission;

function report(change: Partial<DiagnosticsFacts> = {}): string {
  return toDiagnosticsReport({
    surroundings: [['Extension', '0.5.0']],
    connections: [connection, { ...connection, name: 'Local', baseUrl: 'http://127.0.0.1:1/', auth: 'x-api-key' }],
    current: connection,
    connectionState: 'ready',
    settings: [
      { key: 'a.shown', type: 'boolean', words: undefined, standard: true, value: false },
      { key: 'a.chosen', type: 'string', words: ['one', 'two'], standard: 'one', value: 'two' },
      { key: 'a.same', type: 'number', words: undefined, standard: 3, value: 3 },
      { key: 'a.text', type: 'string', words: undefined, standard: '', value: canary },
      { key: 'a.wrong', type: 'number', words: undefined, standard: 3, value: canary },
      { key: 'a.odd', type: 'string', words: ['one'], standard: 'one', value: canary },
      { key: 'a.list', type: 'object', words: undefined, standard: {}, value: { [canary]: canary } },
    ],
    submissions: [submission, { ...submission, id: '2' }, { ...submission, id: '3', state: 'unknown', batch: undefined }],
    calls: [
      { method: 'GET', path: `/sessions/${canary}/events`, milliseconds: 12, status: 500, requestId: 'req_011', endedAt: 90_000 },
      { method: 'POST', path: '/messages/batches', milliseconds: 60_000, failure: 'timeout', endedAt: 40_000 },
      { method: 'GET', path: '/memory_stores', milliseconds: 1, status: 200, requestId: `<b>|${canary}\n`, endedAt: 100_500 },
    ],
    now: 100_000,
    ...change,
  });
}

describe('features/diagnostics/diagnosticsReport', () => {
  it('contains no names from users, no addresses, and only IDs of calls', () => {
    assert.ok(!report().includes(canary), report());
  });

  it('shows the hosts of connections, and which one is used', () => {
    assert.match(
      report(),
      /\| in use, ready \| https, another machine, with a path \| bearer \| anthropic-2023 \| 1 \| 10 requests, 2000 bytes \|/,
    );
    assert.match(report(), /\| {2}\| http, this machine \| x-api-key \|/);
    assert.match(report({ connections: [{ ...connection, isEmulator: true }] }), /\| emulator \|/);
    assert.match(report({ connections: [{ ...connection, baseUrl: canary }] }), /\| no address \|/);
  });

  it("shows setting values that can't be personal, and only that others are set", () => {
    const lines = report().split('\n');
    const settings = lines.filter(line => line.startsWith('| a.'));
    assert.deepEqual(settings, [
      '| a.shown | false |',
      '| a.chosen | two |',
      '| a.text | set |',
      '| a.wrong | set |',
      '| a.odd | set |',
      '| a.list | set, 1 entry |',
    ]);
    assert.match(report({ settings: [] }), /## Settings that differ\n\nNone\./);
  });

  it('counts submissions by state', () => {
    assert.match(report(), /\| created, ended \| 2 \|\n\| unknown \| 1 \|/);
    assert.match(report({ submissions: [] }), /## Submissions on this machine\n\nNone\./);
  });

  it("lists the last calls by route, with the service's request IDs", () => {
    assert.match(report(), /\| 10 s ago \| GET \/v1\/sessions\/\{id\}\/events \| 500 \| 12 ms \| req_011 \|/);
    assert.match(report(), /\| 60 s ago \| POST \/v1\/messages\/batches \| timeout \| 60000 ms \| none \|/);
    assert.match(report(), /\| 0 s ago \| GET \/v1\/memory_stores \| 200 \| 1 ms \| of an odd form \|/);
  });

  it('is redacted as a whole', () => {
    const markdown = report({ surroundings: [['Proxy', 'http://me:s3cretword@proxy.example']] });
    assert.ok(!markdown.includes('s3cretword'));
  });
});
