import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint on this machine that receives deliveries and responds as a test decides. */
export class WebhookEndpoint {
  readonly taken: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  /** Status of the next responses. */
  status = 200;
  private readonly server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part);
    }
    this.taken.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(this.status, this.status >= 300 && this.status < 400 ? { location: '/elsewhere' } : {}).end();
  });

  async open(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}
