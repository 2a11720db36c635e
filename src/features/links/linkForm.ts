import { safeId } from '../../shared/safeId';
import { toLabel } from '../../shared/text';

/** What a link opens: something of a service by its id, and a place in it. */
export type LinkTarget =
  | { readonly kind: 'session'; readonly id: string; readonly event?: string }
  | { readonly kind: 'batch'; readonly id: string; readonly customId?: string }
  | { readonly kind: 'agent'; readonly id: string; readonly version?: number };

/** A link. It names a service and never says how to get in: no address, no key. */
export type Link = LinkTarget & {
  /** Host and port of the service as an address has them; `emulatorHost` for the emulator. */
  readonly host: string;
  /** What the connection is called where the link was made. */
  readonly connection?: string;
};

/** What stands for the host of the emulator, which has another port at every start. */
export const emulatorHost = 'emulator';

/** Why something is no link: `unknown` is what another version may open, `damaged` whatever else. */
export type LinkProblem = 'unknown' | 'damaged';

/** The parts of a URI as VS Code hands them over: escapes decoded once. */
export interface LinkUri {
  readonly path: string;
  readonly query: string;
}

const longestPath = 300;
const longestQuery = 4_000;
const longestName = 100;
const longestCustomId = 256;
const safeHost = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9][a-z0-9._-]{0,252})(?::[0-9]{1,5})?$/;
const safeVersion = /^[1-9][0-9]{0,8}$/;

/** Path and query of a link. What is not `isLink` is not to be printed. */
export function printLink(link: Link): string {
  const place =
    link.kind === 'session'
      ? { event: link.event }
      : link.kind === 'batch'
        ? { custom_id: link.customId }
        : { version: link.version === undefined ? undefined : String(link.version) };
  const fields = Object.entries({ connection: link.connection, host: link.host, ...place });
  const query = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeTwice(value)}`])).join('&');
  return `/${link.kind}/${link.id}?${query}`;
}

/**
 * Reads a link that anybody may have written. Fields that are not known are left alone, VS Code adds some; one that is known and stands
 * there twice, is empty, too long, or has characters that hide or turn others, damages all of it.
 */
export function parseLink({ path, query }: LinkUri): Link | LinkProblem {
  if (path.length > longestPath || query.length > longestQuery) {
    return 'damaged';
  }
  const [, kind, id] = /^\/([a-z]+)\/([^/]+)$/.exec(path) ?? [];
  if (kind === undefined || id === undefined) {
    return 'unknown';
  }
  const fields = readFields(query);
  if (fields === undefined) {
    return 'damaged';
  }
  const shared = { id, host: fields.get('host') ?? '', ...only('connection', fields.get('connection')) };
  const version = fields.get('version');
  const link: Link | undefined =
    kind === 'session'
      ? { kind, ...shared, ...only('event', fields.get('event')) }
      : kind === 'batch'
        ? { kind, ...shared, ...only('customId', fields.get('custom_id')) }
        : kind === 'agent'
          ? { kind, ...shared, ...only('version', version && (safeVersion.test(version) ? Number(version) : Number.NaN)) }
          : undefined;
  return link === undefined ? 'unknown' : isLink(link) ? link : 'damaged';
}

/** Whether all of it can stand in a link: of a safe form, bounded, visible. */
export function isLink(link: Link): boolean {
  const { id, host, connection } = link;
  const hasPlace =
    link.kind === 'session'
      ? link.event === undefined || safeId.test(link.event)
      : link.kind === 'batch'
        ? link.customId === undefined || isPlain(link.customId, longestCustomId)
        : link.version === undefined || safeVersion.test(String(link.version));
  return hasPlace && safeId.test(id) && safeHost.test(host) && (connection === undefined || isName(connection));
}

/** Whether a connection's name can stand in a link. */
export function isName(name: string): boolean {
  return isPlain(name, longestName);
}

function isPlain(text: string, longest: number): boolean {
  return text !== '' && text.length <= longest && toLabel(text, longest) === text;
}

const known = new Set(['connection', 'host', 'event', 'custom_id', 'version']);

function readFields(query: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(equals, 0));
    if (!known.has(name)) {
      continue;
    }
    const value = decode(piece.slice(equals + 1));
    if (value === undefined || value === '' || fields.has(name)) {
      return undefined;
    }
    fields.set(name, value);
  }
  return fields;
}

/**
 * VS Code decodes the query of a URI before anybody can cut it into fields, so what has a meaning there is escaped twice. Parentheses and
 * the like would end a link in Markdown.
 */
function escapeTwice(value: string): string {
  return encodeURIComponent(value)
    .replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)
    .replaceAll('%3A', ':')
    .replaceAll('%', '%25');
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function only<K extends string, V>(name: K, value: V | undefined | ''): { readonly [key in K]?: V } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [key in K]: V });
}
