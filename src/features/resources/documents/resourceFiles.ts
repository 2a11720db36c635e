import * as vscode from 'vscode';
import { describeError } from '../../../common/text/describeError';
import type { PresentationContext } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toMaskedJson } from '../../../shared/maskedJson';
import { draftIdOfReference, type ResourceDraft, type ResourceDrafts } from '../definitions/resourceDrafts';
import type { Resource, ResourceKind } from '../resourceKind';
import { toPage } from '../resourcePresentation';
import { DefinitionFiles, nameInUri, type Shown, toShown } from './definitionFiles';
import { parseResourceUri, type ResourcePlace, toResourceUri } from './resourceUri';

/** What documents need of the rest: the kinds, and how one thing is read. */
export interface ResourceReading {
  kindOf(name: string): ResourceKind;
  /** Reads a thing and takes it in. `byItself`: nobody asked for it now. */
  read(reference: Reference, byItself: boolean): Promise<Resource>;
  presentation(): PresentationContext;
  /** Says what uses a thing; empty where its kind knows nothing of that. */
  usedBy(reference: Reference, byItself: boolean): Promise<string>;
  /** What a thing holds, as far as it can be shown. */
  content(reference: Reference, byItself: boolean): Promise<Uint8Array>;
}

/** Bytes of contents that are kept for their documents at most, the newest; the last one however large it is. */
const mostContents = 64 * 1024 * 1024;

/** Things of the service as files of VS Code: their definitions as drafts, and what is told of them to read. */
export class ResourceFiles extends DefinitionFiles<ResourcePlace, ResourceDraft> {
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

  /** Has a document show what was just read for it. */
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

  /** What a document of contents holds; undefined for every other document. */
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

  /** Takes in how a thing is as just seen; a document without a draft then shows it. */
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
  return { base: { text }, name: '', madeAt: 0 };
}

function fileName(place: ResourcePlace, name: string, { kindOf }: ResourceReading): string {
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
