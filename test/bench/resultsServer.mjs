// Serves a results file from memory on 127.0.0.1, in its own process: `node resultsServer.mjs FILE`. Prints its port.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const body = readFileSync(process.argv[2] ?? '');
const batch = {
  id: 'batch_bench',
  type: 'message_batch',
  processing_status: 'ended',
  request_counts: { processing: 0, succeeded: Number(process.argv[3]), errored: 0, canceled: 0, expired: 0 },
  created_at: '2026-01-01T00:00:00Z',
  expires_at: '2026-01-02T00:00:00Z',
  ended_at: '2026-01-01T01:00:00Z',
  cancel_initiated_at: null,
  archived_at: null,
};

const server = http.createServer((request, response) => {
  if (request.url?.includes('/results')) {
    response.writeHead(200, { 'content-type': 'application/x-jsonl', 'content-length': body.length });
    response.end(body);
  } else {
    const url = `http://${request.headers.host}/v1/messages/batches/${batch.id}/results`;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...batch, results_url: url }));
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
