import { invalidRequest } from './apiError';
import type { Exchange } from './serverExchange';

/** Reads a `multipart/form-data` body of at most `limit` bytes. Throws a 400 for an invalid body. */
export async function readForm(exchange: Exchange, limit: number): Promise<FormData> {
  const type = exchange.header('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type) || !/\bboundary=/i.test(type)) {
    throw invalidRequest('Content-Type must be multipart/form-data with a boundary');
  }
  const body = await exchange.bytes(limit);
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw invalidRequest('Invalid multipart body');
  });
}
