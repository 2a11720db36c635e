import type { FileResourceParams } from '../../../client/schemas/sessionParams';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Report } from '../../../common/asking/progress';
import { countingBody } from '../../../common/files/countingBody';
import type { LocalFile } from '../../../common/files/localFile';
import { mediaTypeOf } from '../../../common/files/mediaTypes';
import { withoutEnd } from '../../../shared/trim';

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly report: Report;
  /** IDs of uploaded files by their keys. Kept between attempts. */
  readonly uploaded: Map<string, string>;
  readonly describeUpload: (file: LocalFile, number: number) => string;
}

/** Uploads the files and returns them as resources. Returns `undefined` if the service doesn't support files. */
export async function uploadAll(
  client: Pick<ServiceClient, 'files'>,
  { files, folder }: { readonly files: readonly LocalFile[]; readonly folder: string },
  { signal, report, uploaded, describeUpload }: UploadOptions,
): Promise<readonly FileResourceParams[] | undefined> {
  // Without a folder, the service may choose the path by the file's name.
  const names = withoutDoubles(files.map(({ name }) => name));
  const mountPaths = folder.trim() === '' ? [] : withoutDoubles(files.map(({ relativePath }) => toMountPath(folder, relativePath)));
  const total = files.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const resources: FileResourceParams[] = [];
  let done = 0;
  for (const [index, file] of files.entries()) {
    let id = uploaded.get(file.key);
    if (id === undefined) {
      report(describeUpload(file, index + 1), total === 0 ? undefined : done / total);
      const content = await file.open();
      const start = done;
      const counted = countingBody(content, sent =>
        report(describeUpload(file, index + 1), total === 0 ? undefined : (start + sent) / total),
      );
      try {
        id = (
          await client.files.upload({ name: names[index] ?? file.name, mediaType: mediaTypeOf(file.name), content: counted }, { signal })
        ).data.id;
      } catch (error) {
        if (index === 0 && error instanceof ServiceError && error.kind === 'not_found') {
          return undefined;
        }
        throw error;
      }
      uploaded.set(file.key, id);
    }
    done += file.byteLength;
    const mountPath = mountPaths[index];
    resources.push({ type: 'file', file_id: id, ...(mountPath === undefined ? {} : { mount_path: mountPath }) });
  }
  return resources;
}

/** Makes names or paths unique by adding a number to all but the first of equal ones. */
export function withoutDoubles(paths: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return paths.map(path => {
    const [, stem = '', ending = ''] = /^(.*?)(\.[^./]+)?$/s.exec(path) ?? [];
    let own = path;
    for (let number = 2; taken.has(own); number++) {
      own = `${stem} (${number})${ending}`;
    }
    taken.add(own);
    return own;
  });
}

/** Returns the path of a file in a folder of the sandbox, from its path in the workspace. Never leaves the folder. */
export function toMountPath(folder: string, relativePath: string): string {
  const parts = relativePath
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..')
    .map(part => part.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_'));
  return [withoutEnd(folder.trim(), '/'), ...parts].join('/');
}
