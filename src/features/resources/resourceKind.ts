import type { Dialect } from '../../client/dialect';
import type { Crud } from '../../client/resources/crud';
import type { ServiceClient } from '../../client/serviceClient';
import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import type { Reference } from '../../contributions';
import type { Definition, DefinitionFields } from './definitions/definitionText';

/** Resource of the service. Every resource has an ID. `metadata` is written by the user and can be any JSON. */
export interface Resource {
  readonly id: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly archived_at?: string | null | undefined;
}

/** Requests that a kind supports. */
export type KindCalls<T> = Pick<Crud<T, { readonly includeArchived?: boolean }>, 'list' | 'retrieve'> &
  Partial<Pick<Crud<T>, 'create' | 'update' | 'archive' | 'delete'>>;

export type Fact = readonly [name: string, value: string];

/** Act on one resource that requires a confirmation. */
export type ActName = 'archive' | 'delete' | 'pause' | 'unpause' | 'disable' | 'stop';

/** Word for menu conditions that a row needs to offer an act. */
export const abilityFor: Readonly<Record<ActName, string>> = {
  archive: 'archivable',
  delete: 'deletable',
  pause: 'pausable',
  unpause: 'unpausable',
  disable: 'disablable',
  stop: 'stoppable',
};

interface ActQuestion {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
}

/** Implementation of an act for one kind. */
interface Act {
  /** Returns the consequence of the act, as a sentence of the question. */
  detail(translate: Translate, current: Resource): string;
  /** Returns a special question if the state of the resource needs a special question. */
  question?(name: string, translate: Translate, current: Resource): ActQuestion | undefined;
  /**
   * Runs the act. If `run` is absent, the request with the act's name is sent. `current` is the resource's state when the user was asked.
   * See `runActOf`.
   */
  run?(client: ServiceClient, reference: Reference, current: Resource): Promise<unknown>;
  /** Returns an alternative act with its own question, if the service refused this act. */
  instead?(error: unknown, name: string, translate: Translate): (Required<Pick<Act, 'run'>> & ActQuestion) | undefined;
  /** True if the service returns a conflict when the resource changed after the user was asked. */
  readonly isGuarded?: true;
}

/** Folder within a group, derived from its members. */
export interface Folder {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
}

/** Text next to the title of a group. Rendered again as time passes. */
export interface GroupRow {
  readonly description: string;
  readonly icon?: string;
  readonly color?: string;
  /** Full text for the tooltip and for screen readers. */
  readonly spoken: string;
}

/** Definition of the documents of a kind: their fields, their templates, and rules that no schema can express. */
export interface KindDefinition<T> extends DefinitionFields {
  /** True if documents can only be read. */
  readonly isReadonly?: boolean;
  /** Extension without `.json`. With `environment`, documents are named `<name>.environment.json`. */
  readonly ending: string;
  /** Name of the field that contains the display name, if it is not `name`. */
  readonly nameField?: string;
  createDetail(translate: Translate): string;
  /** True if the question before publishing says that running sessions keep the state they started with. */
  readonly sparesSessions?: boolean;
  /** Returns the templates for a new resource. `dialect` is the dialect of its service. */
  templates(translate: Translate, dialect?: Dialect): readonly Template[];
  readonly needs?: readonly Need[];
  /** Returns the fields of a resource that its document may show. If absent, the document shows all fields. */
  read?(value: T): object;
  /**
   * Returns the version of a resource, if the service counts versions. An update names the version that it is based on, and is refused if
   * there is a newer version.
   */
  version?(value: T): number | undefined;
  /** Adds the secrets that a request needs but no document may contain. `ask` returns a secret, or '' to leave it out. */
  withSecrets?(sent: Definition, ask: (prompt: string) => Promise<string>, translate: Translate): Promise<Definition>;
  /**
   * Explains in a sentence why the definition can't be published. `undefined` if it can be published. `before` is the state on the service.
   */
  problem?(definition: Definition, before: Definition | undefined, translate: Translate): string | undefined;
}

/** Resource that every new document of a kind refers to. */
export interface Need {
  question(translate: Translate): string;
  none(translate: Translate): string;
  /** Returns the newest resources to choose from. `undefined` if `template` needs none. */
  choices(
    client: ServiceClient,
    context: Pick<PresentationContext, 'translate'>,
    template: Definition,
  ): Promise<readonly Choice[] | undefined>;
  typed?(text: string): Definition;
}

export interface Choice {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly fields: Definition;
}

export interface Template {
  readonly label: string;
  readonly description: string;
  readonly definition: Definition;
}

/**
 * Kind of resource that the service lists, described as data. Lists, rows, pages, documents and acts are derived from it in the same way
 * for all kinds. Independent of VS Code.
 */
export interface ResourceKind<T extends Resource = Resource> {
  readonly kind: string;
  readonly icon: string;
  /** True if archived resources can be listed. */
  readonly hasArchived?: boolean;
  /** True if resources never change, so that a list is read only once. */
  readonly isImmutable?: boolean;
  title(translate: Translate): string;
  calls(client: ServiceClient, parent: Reference | undefined): KindCalls<T>;
  name(value: T): string;
  row(value: T, context: PresentationContext): RowPresentation;
  facts(value: T, context: PresentationContext): readonly Fact[];
  readonly definition?: KindDefinition<T>;
  readonly acts?: Readonly<Partial<Record<ActName, Act>>>;
  /** Copies local information of a resource to its newly read state. */
  carry?(before: T, now: T): T;
  /** Returns the value shown as JSON, if it is not the resource itself. */
  json?(value: T): unknown;
  /** Reads the content of a resource. A click opens readable content. Returns `undefined` if the content is too large. */
  content?(client: ServiceClient, reference: Reference, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Describes what uses a resource. May send many requests, so this only runs if the user asked for it. */
  usedBy?(client: ServiceClient, reference: Reference, context: PresentationContext): Promise<string>;
  /** Returns the session of the resource. A click opens that session. */
  session?(value: T): string | undefined;
  /** Returns the resource to open instead of the given resource. `undefined` to open the given resource. */
  opens?(value: T, reference: Reference): Reference | undefined;
  /** Returns additional fields for the argument that the row's menu passes to commands. */
  target?(reference: Reference): object;
  /** Returns the text of the row that is shown if the service has no such list. */
  absent?(translate: Translate): string;
  /** Returns whether the resource is only a folder. It can't be opened, and a picker shows its members next. */
  isFolder?(value: T): boolean;
  children?(value: T): readonly ResourceKind[];
  /** Returns the folders that contain a member, outermost first. */
  folders?(value: T, context: PresentationContext): readonly Folder[];
  /** Reads the text next to the title of the group. */
  summary?(client: ServiceClient, parent: Reference | undefined, signal: AbortSignal): Promise<(context: PresentationContext) => GroupRow>;
}

/** Returns the display name in a document. */
export function namedIn(definition: Definition, { nameField = 'name' }: Pick<KindDefinition<never>, 'nameField'>): string {
  return String(definition[nameField]);
}

/** Returns the texts of an act on the resource `name`: its question, and the message to show afterwards. */
export function actWords(act: ActName, name: string, translate: Translate) {
  const words: Readonly<Record<ActName, readonly [title: string, button: string, done: string]>> = {
    archive: [translate('Archive "{0}"?', name), translate('Archive'), translate('Archived {0}', name)],
    delete: [translate('Delete "{0}"?', name), translate('Delete'), translate('Deleted {0}', name)],
    disable: [translate('Disable "{0}"?', name), translate('Disable'), translate('Disabled {0}', name)],
    pause: [translate('Pause "{0}"?', name), translate('Pause'), translate('Paused {0}', name)],
    unpause: [translate('Resume "{0}"?', name), translate('Resume'), translate('Resumed {0}', name)],
    stop: [translate('Stop "{0}"?', name), translate('Stop'), translate('Stop requested for {0}', name)],
  };
  const [title, button, done] = words[act];
  return { title, button, done };
}

/**
 * Runs an act on a resource. Returns the resource's new state unless the resource is deleted. `current` is the resource's state when the
 * user was asked.
 */
export async function runActOf<T extends Resource>(
  kind: ResourceKind<T>,
  name: ActName,
  client: ServiceClient,
  reference: Reference,
  current: Resource,
): Promise<unknown> {
  const run = kind.acts?.[name]?.run;
  if (run !== undefined) {
    return await run(client, reference, current);
  }
  const calls: Partial<Record<ActName, Crud<T>['archive' | 'delete']>> = kind.calls(client, reference.parent);
  return (await calls[name]?.(reference.id))?.data;
}

/** Returns a key that is unique to the referenced resource. */
export function keyOf({ connection, kind, id, parent }: Reference): string {
  return JSON.stringify([connection, kind, id, ...(parent === undefined ? [] : [keyOf(parent)])]);
}

/** Returns a key for the resources of a kind on a connection, or below one resource. */
export function groupKeyOf(connection: string, kind: string, parent: Reference | undefined): string {
  return JSON.stringify([connection, kind, ...(parent === undefined ? [] : [keyOf(parent)])]);
}

/** Returns only the reference, without the other properties of a row. */
export function plainReference({ connection, kind, id, parent }: Reference): Reference {
  return parent === undefined ? { connection, kind, id } : { connection, kind, id, parent: plainReference(parent) };
}

/** Returns whether a command's argument is a reference to a resource. */
export function isReference(value: unknown): value is Reference {
  const { connection, kind, id } = (value ?? {}) as Partial<Record<keyof Reference, unknown>>;
  return typeof connection === 'string' && typeof kind === 'string' && typeof id === 'string';
}
