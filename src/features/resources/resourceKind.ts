import type { Dialect } from '../../client/dialect';
import type { Crud } from '../../client/resources/crud';
import type { ServiceClient } from '../../client/serviceClient';
import type { Answer, Page } from '../../client/transport/answer';
import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import type { Reference } from '../../contributions';
import type { Definition, DefinitionFields } from './definitions';

/** A thing of the service. Whatever else it has, it has an id. */
export interface Resource {
  readonly id: string;
}

/** The calls of a kind, as far as it has them. */
export interface KindCalls<T> extends Pick<Crud<T, { readonly includeArchived?: boolean }>, 'list' | 'retrieve'> {
  create?(params: object): Promise<Pick<Answer<T>, 'data' | 'ignored'>>;
  update?(id: string, params: object): Promise<Pick<Answer<T>, 'data' | 'ignored'>>;
}

/** What a kind is called where it is asked for or told of; whole sentences, since they do not translate in parts. */
export interface KindTexts {
  /** Of the group: `Environments`. */
  readonly title: string;
  /** `Which environment?` */
  readonly choose: string;
  /** Stands in a group that holds nothing. */
  readonly empty: string;
}

export type Fact = readonly [name: string, value: string];

/** An act on one thing that is asked for and then done. */
export type ActName = 'archive' | 'delete' | 'pause' | 'unpause' | 'disable' | 'stop';

/** The ability word of rows that offer an act. */
export const abilityFor: Readonly<Record<ActName, string>> = {
  archive: 'archivable',
  delete: 'deletable',
  pause: 'pausable',
  unpause: 'unpausable',
  disable: 'disablable',
  stop: 'stoppable',
};

/** How an act is done to things of one kind. */
export interface Act {
  /** Returns the question before the act. `seen` is the resource at that time. */
  confirm(name: string, translate: Translate, seen: Resource): { readonly title: string; readonly detail: string; readonly button: string };
  /** Does it, and returns the thing as it is then, unless it is deleted. `seen` is the thing when the user was asked. */
  run(client: ServiceClient, reference: Reference, seen: Resource): Promise<unknown>;
  /** Returns the alternative if `error` says that the service refused the act; `undefined` if there is none. */
  instead?(error: unknown, name: string, translate: Translate): (Pick<Act, 'run'> & ReturnType<Act['confirm']>) | undefined;
  /** Says that it was not done because the thing was changed since it was seen: where the service answers a conflict. */
  changed?(name: string, translate: Translate): string;
  /** Whether what uses it is told before: what the kind knows of that, or the request files of the workspace that name it. */
  readonly tellsUses?: boolean;
}

/** A folder within a group, made of what its members say. */
export interface Folder {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
}

/** What stands beside the title of a group, drawn whenever time has passed. */
export interface GroupRow {
  readonly description: string;
  readonly icon?: string;
  readonly color?: string;
  /** In words, for the hover and for screen readers; told as a warning where `icon` is one. */
  readonly spoken: string;
}

/** A thing as a document: what it holds, how it begins, and what no schema can say. */
export interface KindDefinition<T> extends DefinitionFields {
  /** `environment`: documents are called `<name>.environment.json`. */
  readonly ending: string;
  /** The field that names it, where that is not `name`. */
  readonly nameField?: string;
  /** What is asked before something is created or published. */
  readonly questions: (translate: Translate) => DefinitionTexts;
  /** What a new one can begin with; `dialect` is that of the service it is for. */
  templates(translate: Translate, dialect?: Dialect): readonly Template[];
  /** What is asked for in turn, to be put into a template: things of the service that it names. */
  readonly needs?: readonly Need[];
  /** The document of what the service has; without what the service adds by itself. */
  read(value: T): Definition;
  /** Its version, where the service counts them: a change names the one it was made to, and is refused when there is a newer one. */
  version?(value: T): number | undefined;
  /** What the service wants beside what is sent and what no document may hold. */
  secrets?(sent: Definition, translate: Translate): readonly Secret[];
  /** Why this cannot be published, in a sentence; undefined when it can. `before` is what the service has. */
  problem(definition: Definition, before: Definition | undefined, translate: Translate): string | undefined;
}

export interface DefinitionTexts {
  /** Title of a create's question. */
  create(name: string, connection: string): string;
  readonly createButton: string;
  readonly createDetail: string;
  /** Said beside Publish; `changed` are the fields that change. */
  publishDetail(changed: string, connection: string): string;
}

/** A secret that is asked for just before something is sent, and kept nowhere. */
export interface Secret {
  readonly prompt: string;
  /** Where it belongs in what is sent. */
  readonly path: readonly (string | number)[];
}

/** Something of the service that every new document of a kind names. */
export interface Need {
  question(translate: Translate): string;
  /** Said where the service has none. */
  none(translate: Translate): string;
  /** Returns the newest of them; `undefined` if `template` needs none. */
  choices(
    client: ServiceClient,
    context: Pick<PresentationContext, 'translate'>,
    template: Definition,
  ): Promise<readonly Choice[] | undefined>;
  /** Returns the fields for an ID that the user typed, because the service lists none. */
  typed?(text: string): Definition;
}

export interface Choice {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** What it puts into the document. */
  readonly fields: Definition;
}

export interface Template {
  readonly label: string;
  readonly description: string;
  readonly definition: Definition;
}

/**
 * A kind of thing that the service lists and shows. What is particular is here, as data; lists, rows, pages, documents and acts are made
 * of it in the same way for all. Knows no VS Code.
 */
export interface ResourceKind<T extends Resource = Resource> {
  /** The service's own noun, as in a `Reference`. */
  readonly kind: string;
  readonly icon: string;
  /** Whether archived ones can be listed. */
  readonly hasArchived?: boolean;
  /** Whether a click opens what it holds, instead of its document or page. */
  readonly hasContent?: boolean;
  /** What was listed once never changes, and is not read again. */
  readonly isImmutable?: boolean;
  texts(translate: Translate): KindTexts;
  calls(client: ServiceClient, parent: Reference | undefined): KindCalls<T>;
  name(value: T): string;
  row(value: T, context: PresentationContext): RowPresentation;
  facts(value: T, context: PresentationContext): readonly Fact[];
  readonly definition?: KindDefinition<T>;
  readonly acts?: Readonly<Partial<Record<ActName, Act>>>;
  /** A thing as just read, with what only we know of it from before. */
  carry?(before: T, now: T): T;
  /** What is shown as JSON, where that is not the value itself. */
  json?(value: T): unknown;
  /** What a thing holds, for a click to open it; undefined when it is too large for that. */
  content?(client: ServiceClient, reference: Reference, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Says what uses a thing. Reads as much as that takes: only where the user asked for it. */
  usedBy?(client: ServiceClient, reference: Reference, signal: AbortSignal): Promise<(context: PresentationContext) => string>;
  /** The session that it stands for: a click opens that one. */
  session?(value: T): string | undefined;
  /** Whether it only holds others: there is nothing to open, and a choice goes on within it. */
  isFolder?(value: T): boolean;
  /** Kinds whose members stand below this one. */
  children?(value: T): readonly ResourceKind[];
  /** The folders that a member stands in, the outermost first. */
  folders?(value: T, context: PresentationContext): readonly Folder[];
  /** Reads what stands beside the title of the group. */
  summary?(client: ServiceClient, parent: Reference | undefined, signal: AbortSignal): Promise<(context: PresentationContext) => GroupRow>;
}

/** What a document calls the thing. */
export function namedIn(definition: Definition, { nameField = 'name' }: Pick<KindDefinition<never>, 'nameField'>): string {
  return String(definition[nameField]);
}

/**
 * The calls of a group whose members can be archived; a list leaves those out unless they are wanted, also where the service ignores that
 * filter.
 */
export function archivableCalls<T extends { readonly archived_at?: string | null | undefined }>(
  calls: KindCalls<T> & Required<Pick<KindCalls<T>, 'create' | 'update'>>,
): KindCalls<T> {
  return {
    retrieve: calls.retrieve,
    create: calls.create,
    update: calls.update,
    list: async options => {
      const page = await calls.list(options);
      return options?.includeArchived === true ? page : withoutArchived(page);
    },
  };
}

/** A page without those that are archived, where the service ignores that filter. */
export function withoutArchived<T extends { readonly archived_at?: string | null | undefined }>(page: Page<T>): Page<T> {
  return { ...page, items: page.items.filter(({ archived_at: time }) => typeof time !== 'string') };
}
