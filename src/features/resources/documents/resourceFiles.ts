import * as vscode from 'vscode';
import { describeError } from '../../../common/text/describeError';
import type { PresentationContext } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toMaskedJson } from '../../../shared/maskedJson';
import { draftIdOfReference, type ResourceDraft, type ResourceDrafts } from '../definitions/resourceDrafts';
import type { Resource, ResourceKind } from '../resourceKind';
import { toPage } from '../resourcePresentation';
import { DefinitionFiles, nameInUri, type Shown, toShown } from './definitionFiles';
import { parseResourceUri, type ResourceLocation, toResourceUri } from './resourceUri';

/** Access that documents need to the kinds and to the service. */
export interface ResourceReading {
  kindOf(name: string): ResourceKind;
  /** Reads a resource and updates its list. `byItself`: in the background, without a request of the user. */
  read(reference: Reference, byItself: boolean): Promise<Resource>;
  presentation(): PresentationContext;
  /** Describes what uses a resource. Returns '' if its kind can't tell. */
  usedBy(reference: Reference, byItself: boolean): Promise<string>;
  /** Reads the content of a resource, if it can be shown. */
  content(reference: Reference, byItself: boolean): Promise<Uint8Array>;
}

/** Maximum size of all cached contents, in bytes. The newest ones stay, and the last one stays at any size. */
const mostContents = 64 * 1024 * 1024;

/** File system of resources: their definitions as drafts, and their pages, JSON and contents as read-only documents. */
export class ResourceFiles extends DefinitionFiles<ResourceLocation, ResourceDraft> {
  private readonly contents = new Map<string, Uint8Array>();

  constructor(
    private readonly reading: ResourceReading,
    drafts: ResourceDrafts,
  ) {
    super({
      drafts,
      snapshotScheme: 'managed-agents-resource-state',
      parse: parseResourceUri,
      toUri: (place, name) => toResourceUri(place, fileName(place, name, reading)),
      draftIdOf: place => (place.view === 'new' ? place.draftId : place.view === 'edit' ? draftIdOfReference(place.reference) : undefined),
      isNew: ({ view }) => view === 'new',
      toDraft: (place, saved) =>
        place.view === 'new'
          ? { connection: place.connection, kind: place.kind, ...saved }
          : { connection: place.reference.connection, kind: place.reference.kind, resourceId: place.reference.id, ...saved },
      read: async (place, byItself) => {
        if (place.view === 'new') {
          throw new Error('unreachable: what is new is on no service');
        }
        const { reference, view } = place;
        const kind = reading.kindOf(reference.kind);
        const value = await reading.read(reference, byItself);
        switch (view) {
          case 'edit':
            return toShown(kind, value);
          case 'json':
            return textOnly(toMaskedJson(kind.json?.(value) ?? value));
          case 'page': {
            const uses = await reading.usedBy(reference, byItself);
            return textOnly(`${toPage(kind, value, reference.connection, reading.presentation(), uses)}\n`);
          }
          case 'content':
            throw new Error('unreachable: contents are no texts of this kind');
        }
      },
      nameOf: uri => {
        const place = parseResourceUri(uri);
        const kind = place?.view === 'new' ? place.kind : (place?.reference.kind ?? '');
        return nameInUri(uri, `.${reading.kindOf(kind).definition?.ending ?? ''}.json`);
      },
    });
  }

  /** Shows newly read content in its document. */
  keepContent(uri: vscode.Uri, bytes: Uint8Array): void {
    const key = uri.toString();
    this.contents.delete(key);
    this.contents.set(key, bytes);
    let total = [...this.contents.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    for (const [kept, { byteLength }] of this.contents) {
      if (total <= mostContents || kept === key) {
        break;
      }
      this.contents.delete(kept);
      total -= byteLength;
    }
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const content = await this.contentOf(uri);
    return content === undefined
      ? super.stat(uri)
      : { type: vscode.FileType.File, ctime: 0, mtime: 0, size: content.byteLength, permissions: vscode.FilePermission.Readonly };
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.contentOf(uri)) ?? super.readFile(uri);
  }

  /** Returns the content that a content document shows. `undefined` for any other document. */
  private async contentOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const place = parseResourceUri(uri);
    if (place?.view !== 'content') {
      return undefined;
    }
    const kept = this.contents.get(uri.toString());
    if (kept !== undefined) {
      return kept;
    }
    try {
      const bytes = await this.reading.content(place.reference, !this.isAsked(uri));
      this.keepContent(uri, bytes);
      return bytes;
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  /** Records the current state of a resource. An open document without a draft then shows it. */
  seeResource(reference: Reference, value: Resource): void {
    const kind = this.reading.kindOf(reference.kind);
    if (kind.definition !== undefined) {
      const seen = toShown(kind, value);
      this.see(
        draftIdOfReference(reference),
        () => seen,
        ({ text }) => text !== seen.base.text,
      );
    }
  }
}

function textOnly(text: string): Shown {
  return { base: { text }, name: '', createdAt: 0 };
}

function fileName(place: ResourceLocation, name: string, { kindOf }: ResourceReading): string {
  const stem = name || (place.view === 'new' ? place.kind : place.reference.id);
  switch (place.view) {
    case 'json':
      return `${stem}.json`;
    case 'page':
      return `${stem}.md`;
    case 'content':
      return stem;
    default: {
      const kind = place.view === 'new' ? place.kind : place.reference.kind;
      return `${stem}.${kindOf(kind).definition?.ending ?? kind}.json`;
    }
  }
}
