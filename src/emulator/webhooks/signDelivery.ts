import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Creates a new signing secret. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Returns the headers of one attempt, with a signature for each valid secret. `seconds` is since 1970. */
export function signedHeaders(id: string, seconds: number, body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
