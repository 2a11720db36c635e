import * as z from 'zod';
import type { ResourceGroup } from '../dialect';
import { ignoredFields, type SentFields } from '../ignoredFields';
import type { Call } from '../transport/callHead';
import type { CallOptions, CallResult, ListOptions, Page } from '../transport/callResult';
import type { Subject } from '../transport/subject';
import type { Transport } from '../transport/transport';
import { callForObject, callForOutcome, callForPage, createIn, filterQuery, jsonBody, pathSegment } from './resource';

/** Response to a delete, with the id of the deleted resource. */
const deletedSchema = z.looseObject({ id: z.string(), type: z.string().nullish() });
type Deleted = z.infer<typeof deletedSchema>;

/** Filter of a list whose members can be archived. */
export interface ArchiveFilter {
  readonly includeArchived?: boolean;
}

/** Calls that every resource group has. Writes are sent once and never retried. */
export interface Crud<T, F = unknown> {
  /** Creates a member. `params` is an object or its JSON text, which is sent byte for byte. */
  create(params: object | string, options?: CallOptions): Promise<CallResult<T>>;
  /** Returns one page, newest first unless a filter changes the order. */
  list(options?: ListOptions & F): Promise<Page<T>>;
  retrieve(id: string, options?: CallOptions): Promise<CallResult<T>>;
  /** Updates a member. `params` is a patch: absent fields stay unchanged, and `metadata` is a patch of the metadata's keys. */
  update(id: string, params: object, options?: CallOptions): Promise<CallResult<T>>;
  /** Archives a member for good. An archived member can be read, but neither changed nor used. */
  archive(id: string, options?: CallOptions): Promise<CallResult<T>>;
  delete(id: string, options?: CallOptions): Promise<CallResult<Deleted>>;
}

/** Description of a group: its path, its members, and the query parameters of its reads. */
interface GroupTable<S extends z.ZodType> {
  readonly group: ResourceGroup;
  /** Path of the collection, below `/v1`. */
  readonly path: string;
  readonly schema: S;
  /** `type` of the members on the wire. Absent if the members have several types. */
  readonly type?: string;
  /** Fields that can hold the id by which a path names a member. `id` by default. */
  readonly idFields?: readonly string[];
  /** Ids of the parent resources, keyed by the member's field with that id. */
  readonly within?: Readonly<Record<string, string>>;
  /** Query parameters of the list's filters, keyed by option, in the order of the query. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Query parameters for reading one member, like `filters`. */
  readonly readFilters?: Readonly<Record<string, string>>;
  /** Query parameters for deleting one member, like `filters`. */
  readonly deleteFilters?: Readonly<Record<string, string>>;
  /** Returns the secrets in the body of a create or an update. */
  readonly secretsOf?: (params: unknown) => readonly string[];
  /** Fields of the body of a create or an update that the response may leave out. */
  readonly unanswered?: readonly string[];
}

/** Calls of a group, and building blocks for its additional calls. */
interface Group<T, F> {
  readonly calls: Crud<T, F>;
  /** Posts to `/<id>/<action>` and returns the resulting member. If the response has no usable body, the member is read instead. */
  act(id: string, action: string, params?: object, options?: CallOptions): Promise<CallResult<T>>;
  /** Returns the subject of a response about the member `id`, or about a new member if `id` is absent. */
  about(id?: string): Subject;
  /** Returns a path below a member, relative to `/v1`. */
  below(id: string, rest: string): string;
}

/** Creates the calls of a group from its table (contract, Endpoints; API facts, section 2: updates are POST to the path of the item). */
export function createCrud<S extends z.ZodType, F extends object = object>(
  transport: Transport,
  table: GroupTable<S>,
): Group<z.output<S>, F> {
  const { group, path, schema, type, idFields, within, unanswered } = table;
  const { filters = {}, readFilters = {}, deleteFilters = {}, secretsOf = () => [] } = table;
  const below = (id: string, rest = '') => `${path}/${pathSegment(id)}${rest}`;
  const about = (id?: string): Subject => ({ type, within, id, idFields });
  const call = (rest: Omit<Call, 'group' | 'about'>, id?: string): Call => ({ ...rest, group, about: about(id) });
  const retrieve = async (id: string, options?: CallOptions) =>
    callForObject(
      transport,
      schema,
      call({ method: 'GET', path: below(id), query: named(readFilters, options), signal: options?.signal }, id),
    );
  const withBody = (params: object | string) => ({ body: jsonBody(params), secrets: secretsOf(params) });
  const post = async (id: string, rest: string, params: object | undefined, options?: CallOptions) => {
    const body = params === undefined ? {} : withBody(params);
    const request = call({ method: 'POST', path: below(id, rest), ...body, signal: options?.signal }, id);
    return callForOutcome(transport, schema, request, async () => (await retrieve(id, { signal: options?.signal })).data);
  };
  const calls: Crud<z.output<S>, F> = {
    retrieve,
    create: async (params, options) => {
      const request = call({ method: 'POST', path, creates: true, ...withBody(params), signal: options?.signal });
      const answer = await createIn(transport, request, () => callForObject(transport, schema, request));
      return compared(answer, params, { unanswered, secrets: secretsOf(params) });
    },
    list: async options => callForPage(transport, schema, { group, path, query: named(filters, options), about: { within } }, options),
    update: async (id, params, options) =>
      compared(await post(id, '', params, options), params, { unanswered, secrets: secretsOf(params), isUpdate: true }),
    archive: async (id, options) => post(id, '/archive', undefined, options),
    delete: async (id, options) =>
      callForOutcome(
        transport,
        deletedSchema,
        call({ method: 'DELETE', path: below(id), query: named(deleteFilters, options), signal: options?.signal }, id),
        () => ({ id }),
      ),
  };
  return { calls, about, below, act: async (id, action, params, options) => post(id, `/${action}`, params, options) };
}

/** Adds `ignored` to the result of a create or an update: the fields that the service did not save. */
export function compared<T>(
  answer: CallResult<T>,
  params: object | string,
  sent: SentFields,
  resource: unknown = answer.data,
): CallResult<T> {
  const ignored = ignoredFields(params, resource, sent);
  return ignored.length === 0 ? answer : { ...answer, ignored };
}

type Filters = Parameters<typeof filterQuery>[0];

function named(names: Readonly<Record<string, string>>, options: object | undefined): NonNullable<Call['query']> {
  const given = (options ?? {}) as Filters;
  return filterQuery(Object.fromEntries(Object.entries(names).map(([name, wire]) => [wire, given[name]])));
}
