import { membersOf } from '../scanning/jsonMembers';

/** A request without the fields that no batch takes, and these with its ID, each as one line. */
export interface SplitRequest {
  readonly request: string;
  readonly fields: string;
}

/** Separates extra fields from a request. Values stay as they are written. `undefined` for a line without any, or that is no request. */
export function splitFields(line: string): SplitRequest | undefined {
  const members = requestMembers(line);
  const [id, params] = [members?.get('custom_id'), members?.get('params')];
  if (members === undefined || id?.startsWith('"') !== true || params?.startsWith('{') !== true || members.size === 2) {
    return undefined;
  }
  const others = [...members].filter(([name]) => name !== 'custom_id' && name !== 'params');
  const written = others.map(([name, json]) => `,${JSON.stringify(name)}:${json}`).join('');
  return { request: `{"custom_id":${id},"params":${params}}`, fields: `{"custom_id":${id}${written}}` };
}

function requestMembers(line: string): ReadonlyMap<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? membersOf(line) : undefined;
  } catch {
    return undefined;
  }
}
