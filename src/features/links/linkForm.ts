import { safeId } from '../../shared/safeId';
import { toLabel } from '../../shared/text';

/** Target of a link: a resource of the service by its id, and a position in it. */
export type LinkTarget =
  | { readonly kind: 'session'; readonly id: string; readonly event?: string }
  | { readonly kind: 'batch'; readonly id: string; readonly customId?: string }
  | { readonly kind: 'agent'; readonly id: string; readonly version?: number };

/** Link to a resource. It names a service but gives no access: it contains neither an address nor a key. */
export type Link = LinkTarget & {
  /** Host and port of the service as in a URL. `emulatorHost` for the emulator. */
  readonly host: string;
  /** Name of the connection on the machine where the link was created. */
  readonly connection?: string;
};

/** Host of the emulator in links, because its port changes at every start. */
export const emulatorHost = 'emulator';

/** Parts of a URI as passed by VS Code, with escapes decoded once. */
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

/** Returns path and query of a link. The link must pass `isLink`. */
export function printLink(link: Link): string {
  const position =
    link.kind === 'session'
      ? { event: link.event }
      : link.kind === 'batch'
        ? { custom_id: link.customId }
        : { version: link.version === undefined ? undefined : String(link.version) };
  const fields = Object.entries({ connection: link.connection, host: link.host, ...position });
  const query = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeTwice(value)}`])).join('&');
  return `/${link.kind}/${link.id}?${query}`;
}

/**
 * Parses an untrusted link. Unknown fields are ignored, because VS Code adds some. A known field that is repeated, empty, too long, or
 * contains characters that hide or reorder others makes the whole link invalid. Returns `undefined` for an invalid link.
 */
export function parseLink({ path, query }: LinkUri): Link | undefined {
  if (path.length > longestPath || query.length > longestQuery) {
    return undefined;
  }
  const [, kind, id] = /^\/([a-z]+)\/([^/]+)$/.exec(path) ?? [];
  if (kind === undefined || id === undefined) {
    return undefined;
  }
  const fields = readFields(query);
  if (fields === undefined) {
    return undefined;
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
  return link !== undefined && isLink(link) ? link : undefined;
}

/** Returns whether all parts are valid in a link: safe, of limited length, visible. */
export function isLink(link: Link): boolean {
  const { id, host, connection } = link;
  const hasTarget =
    link.kind === 'session'
      ? link.event === undefined || safeId.test(link.event)
      : link.kind === 'batch'
        ? link.customId === undefined || isPlain(link.customId, longestCustomId)
        : link.version === undefined || safeVersion.test(String(link.version));
  return hasTarget && safeId.test(id) && safeHost.test(host) && (connection === undefined || isName(connection));
}

/** Returns whether a connection's name is valid in a link. */
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
 * Escapes a value twice, because VS Code decodes the query of a URI before it can be split into fields. Also escapes parentheses and
 * similar characters, which would end a link in Markdown.
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
