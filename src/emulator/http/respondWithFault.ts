import { ApiError } from './apiError';
import type { Exchange } from './serverExchange';

const anySize = Number.POSITIVE_INFINITY;

/**
 * Responds to a request with its fault if that replaces the whole response. Returns false if the request still has to be handled. Its fault
 * then affects the bytes that are read or sent.
 */
export async function respondWithFault(exchange: Exchange): Promise<boolean> {
  const fault = exchange.faults.transport;
  switch (fault?.name) {
    case 'stall':
      return fault.bytes === undefined ? exchange.hang() : false;
    case 'rateLimit':
      throw new ApiError('rate_limit_error', 'Emulated rate limit', { headers: { 'retry-after': String(fault.seconds ?? 1) } });
    case 'serverError':
      throw new ApiError('api_error', 'Emulated failure of the service', { status: fault.status ?? 500 });
    case 'notFound':
      throw new ApiError('not_found_error', 'Not found');
    case 'overloaded':
      throw new ApiError('overloaded_error', 'Overloaded');
    case 'lostReplyBeforeCommit':
      for await (const _ of exchange.chunks(anySize)) {
        // Reads everything, so that the client has sent the whole body before it loses the connection.
      }
      return exchange.cut();
    case 'html': {
      const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>This is not the service</h1></body></html>\n';
      await exchange.send(fault.status ?? 502, { 'content-type': 'text/html; charset=utf-8' }, Buffer.from(page));
      return true;
    }
    case 'redirect': {
      const location = fault.location ?? `http://127.0.0.1:9${exchange.request.url}`;
      await exchange.send(fault.status ?? 307, { location, 'content-type': 'text/plain' }, Buffer.from('Moved\n'));
      return true;
    }
    default:
      return false;
  }
}
