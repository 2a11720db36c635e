import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const folder = 'test/fixtures/captures';

/** A recorded exchange with a real server. */
export interface Capture {
  readonly name: string;
  readonly method: string;
  readonly url: URL;
  readonly requestBody: string;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export function parseCapture(name: string): Capture {
  const [request = '', response = ''] = readFileSync(`${folder}/${name}`, 'utf8').split(/\n?### RESPONSE after \d+ ms\n/);
  const [requestHead = '', ...requestRest] = request.split('\n\n');
  const [method = '', target = ''] = requestHead.split(' ');
  const end = response.indexOf('\n\n');
  const [statusLine = '', ...headerLines] = response.slice(0, end).split('\n');
  const headers = headerLines.map(line => line.split(': ')).filter(([key = '']) => !/^(content-length|transfer-encoding)$/i.test(key));
  return {
    name,
    method,
    url: new URL(target, 'http://recorded'),
    requestBody: requestRest.join('\n\n').trim(),
    status: Number(statusLine.split(' ')[1]),
    rawHeaders: headers.flatMap(([key = '', ...value]) => [key, value.join(': ')]),
    body: response.slice(end + 2),
  };
}

/** Asserts that every field of `expected` has the same value in `actual`. `actual` may have more fields (defaults). */
export function assertContains(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.deepEqual(actual, expected, path);
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null, path);
  assert.equal(Array.isArray(actual), Array.isArray(expected), path);
  if (Array.isArray(expected)) {
    assert.equal((actual as unknown[]).length, expected.length, path);
  }
  for (const [key, value] of Object.entries(expected)) {
    assertContains((actual as Readonly<Record<string, unknown>>)[key], value, `${path}.${key}`);
  }
}

/** Returns the names of the recorded exchanges with an extension. */
export function captureNames(ending: '.http' | '.sse'): readonly string[] {
  return readdirSync(folder).filter(name => name.endsWith(ending));
}

/** Returns the body of a recorded stream. */
export function recordedStream(name: string): string {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  const response = text.indexOf('### RESPONSE');
  return text.slice(text.indexOf('\n\n', response) + 2);
}
