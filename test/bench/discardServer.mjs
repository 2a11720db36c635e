// A service that reads a create body and discards it. Prints its port.
import { createServer } from 'node:http';

createServer((request, response) => {
  let bytes = 0;
  request.on('data', chunk => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('request-id', 'req_bench');
    const created = new Date().toISOString();
    const batch = { id: 'msgbatch_bench', type: 'message_batch', processing_status: 'in_progress', created_at: created };
    response.end(JSON.stringify({ ...batch, received_bytes: bytes }));
  });
}).listen(0, '127.0.0.1', function listening() {
  console.log(this.address().port);
});
