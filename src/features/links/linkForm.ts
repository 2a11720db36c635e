import type { Uri } from 'vscode';
import * as z from 'zod';
import { safeId } from '../../shared/safeId';
import { toLabel } from '../../shared/text';
import type { Connection } from '../connection';

const longestPath = 300;
const longestQuery = 4_000;

/** Creates the schema of a text of limited length without invisible characters. */
const plain = (longest: number) => z.string().refine(text => text !== '' && text.length <= longest && toLabel(text, longest) === text);

const idSchema = z.string().regex(safeId);
const nameSchema = plain(100);
const shared = {
  id: idSchema,
  /** Host and port of the service, as in a URL. `emulatorHost` for the emulator. */
  host: z.string().regex(/^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9][a-z0-9._-]{0,252})(?::[0-9]{1,5})?$/),
  /** Name of the connection on the machine where the link was created. */
  connection: nameSchema.optional(),
};
const linkSchema = z.discriminatedUnion('kind', [
  z.object({ ...shared, kind: z.literal('session'), event: idSchema.optional() }),
  z.object({ ...shared, kind: z.literal('batch'), customId: plain(256).optional() }),
  z.object({ ...shared, kind: z.literal('agent'), version: z.int().min(1).max(999_999_999).optional() }),
]);
/** Link to a resource. Names a service but gives no access to it, because it contains neither an address nor a key. */
export type Link = Readonly<z.infer<typeof linkSchema>>;

type WithoutPlace<L> = L extends Link ? Omit<L, 'host' | 'connection'> : never;
/** Target of a link: the id of a resource, and a position in it. */
export type LinkTarget = WithoutPlace<Link>;

/** Host of the emulator in links, because its port changes at every start. */
const emulatorHost = 'emulator';

/** Returns the path and query of a link that passes `isLink`. */
export function printLink({ kind, id, host, connection, ...position }: Link): string {
  const fields = Object.entries({ connection, host, ...position });
  const query = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name === 'customId' ? 'custom_id' : name}=${escapeTwice(String(value))}`],
  );
  return `/${kind}/${id}?${query.join('&')}`;
}

/**
 * Parses an untrusted link, whose escapes VS Code has decoded once. Ignores unknown fields, because VS Code adds some. Returns `undefined`
 * if a known field is repeated, empty or too long, or contains characters that hide or reorder other characters.
 */
export function parseLink({ path, query }: Pick<Uri, 'path' | 'query'>): Link | undefined {
  if (path.length > longestPath || query.length > longestQuery) {
    return undefined;
  }
  const [, kind, id] = /^\/([a-z]+)\/([^/]+)$/.exec(path) ?? [];
  const fields = readFields(query);
  if (fields === undefined) {
    return undefined;
  }
  const { custom_id: customId, version, ...others } = Object.fromEntries(fields);
  const number = version === undefined || !/^[1-9]\d*$/.test(version) ? version : Number(version);
  return linkSchema.safeParse({
    ...{ kind, id, ...others },
    ...(customId !== undefined && { customId }),
    ...(number !== undefined && { version: number }),
  }).data;
}

/** Returns whether all parts of a link are valid: safe, visible and of limited length. */
export function isLink(link: Link): boolean {
  return linkSchema.safeParse(link).success;
}

/** Returns whether the name of a connection is valid in a link. */
export function isName(name: string): boolean {
  return nameSchema.safeParse(name).success;
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
 * Escapes a value twice, because VS Code decodes the query of a URI before it is split into fields. Also escapes parentheses and similar
 * characters, because they would end a link in Markdown.
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

/** Returns the host and port of a connection in links. */
export function toLinkHost({ baseUrl, isEmulator }: Pick<Connection, 'baseUrl' | 'isEmulator'>): string {
  return isEmulator ? emulatorHost : new URL(baseUrl).host;
}

/**
 * Returns the connections of this machine with a link's host. If one of them has the link's connection name, returns only that connection,
 * because users distinguish accounts by name. A connection with that name but another host is never returned.
 */
export function findLinked<C extends Pick<Connection, 'name' | 'baseUrl' | 'isEmulator'>>(
  connections: readonly C[],
  { host, connection }: Pick<Link, 'host' | 'connection'>,
): readonly C[] {
  // A service can have the host name of the emulator, but only the emulator's connection can have its name.
  const matches = connections.filter(one => toLinkHost(one) === host && (!one.isEmulator || one.name === connection));
  const named = matches.find(({ name }) => name === connection);
  return named === undefined ? matches : [named];
}
