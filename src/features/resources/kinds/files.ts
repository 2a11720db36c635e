import type { ServiceFile } from '../../../client/resources/files';
import { boundedBytes } from '../../../common/files/boundedBytes';
import { describeAge, describeMoment, nameOrId, type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Folder, ResourceKind } from '../resourceKind';
import { defineKind, sizeWords } from './defineKind';

/** Largest text or picture shown in an editor, in bytes. */
export const largestShown = 4 * 1024 * 1024;

/** Files of the service, uploaded or created by sessions, in either wire format (API facts, section 12). */
export const files: ResourceKind<ServiceFile> = defineKind({
  kind: 'file',
  ability: 'serviceFile',
  icon: 'files',
  title: translate => translate('Files'),
  calls: ({ files: { list, retrieve, delete: remove } }) => ({ list, retrieve, delete: remove }),
  name: fileName,
  row: (file, context) => ({
    words: [
      sizeWords(file.size_bytes, context),
      file.expires_at ? context.translate('expires {0}', describeAge(file.expires_at, context)) : '',
    ],
    icon: file.mime_type?.startsWith('image/') ? 'file-media' : 'file',
    abilities: ['deletable', ...(isReadable(file) ? ['readable'] : [])],
  }),
  facts: (file, context) => {
    const { translate } = context;
    return [
      [translate('Size'), sizeWords(file.size_bytes, context)],
      [translate('Media type'), file.mime_type ?? ''],
      [translate('Created by session'), file.scope?.type === 'session' ? (file.scope.id ?? '') : ''],
      [translate('Content'), isReadable(file) ? '' : translate("Uploaded files can't be downloaded")],
      [translate('Expires'), describeMoment(file.expires_at, context)],
    ];
  },
  folders: foldersOf,
  content: async ({ files: calls }, { id }, signal) => boundedBytes((await calls.content(id, { signal })).body, largestShown),
  acts: {
    delete: { detail: translate => translate("This can't be undone. Anything that uses it will fail.") },
  },
});

/** Returns the file's name on one line, or its ID if the file has no name. */
export function fileName({ id, filename }: ServiceFile): string {
  return nameOrId(filename, id);
}

/** Returns whether the content can be downloaded. Only an explicit `false` of the service means no. */
export function isReadable({ downloadable }: ServiceFile): boolean {
  return downloadable !== false;
}

function foldersOf({ scope }: ServiceFile, { translate }: PresentationContext): readonly Folder[] {
  if (scope?.type === 'session' && scope.id) {
    return [
      { id: 'sessions', label: translate('Created by Sessions'), icon: 'comment-discussion' },
      { id: scope.id, label: shortId(scope.id), icon: 'folder' },
    ];
  }
  return [{ id: 'uploaded', label: translate('Uploaded'), icon: 'cloud-upload' }];
}
