import type { IgnoredField } from '../../../client/ignoredFields';
import type {
  AgentWithOverrides,
  FileResourceParams,
  SessionBudget,
  SessionParams,
  SessionResourceParams,
} from '../../../client/schemas/sessionParams';
import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Report } from '../../../common/asking/progress';
import { countingBody } from '../../../common/files/countingBody';
import type { LocalFile } from '../../../common/files/localFile';
import { mediaTypeOf } from '../../../common/files/mediaTypes';
import { withoutEnd } from '../../../shared/trim';

/** Parameters of a session start. They stay available if the start fails. */
export interface SessionStartParams {
  readonly agentId: string;
  /** `undefined` for the latest version. */
  readonly agentVersion: number | undefined;
  /** `undefined` if the service has no environments. */
  readonly environmentId: string | undefined;
  readonly title: string;
  readonly files: readonly LocalFile[];
  /** Target folder of the files in the sandbox. Empty if the service chooses it. */
  readonly folder: string;
  /** Resources to mount in addition to the files. */
  readonly resources?: readonly SessionResourceParams[];
  readonly vaultIds?: readonly string[];
  readonly budget?: SessionBudget | undefined;
  /** Differences from the agent's definition. Without any, the agent is used unchanged. */
  readonly overrides?: Pick<AgentWithOverrides, 'model' | 'system'>;
}

export interface SessionStartOptions {
  readonly signal: AbortSignal;
  readonly report: Report;
  /** Called just before the request that creates the session: if that fails, the session may have been started. */
  readonly onCreate?: () => void;
  /** IDs of uploaded files by their keys. Kept between attempts. */
  readonly uploaded: Map<string, string>;
  readonly describeUpload: (file: LocalFile, number: number) => string;
}

/**
 * Started session. The flag `tookNoFiles` is true if the service doesn't take files and the session was started without them. Fields that the
 * service ignored, such as the agent's version, are in `ignored`.
 */
export interface StartedSession {
  readonly session: Session;
  readonly tookNoFiles: boolean;
  readonly ignored: readonly IgnoredField[];
}

/**
 * Uploads the files, then creates the session. Neither request is repeated automatically: `outcome` of an error says whether the service
 * may have processed it. The first message is sent separately, after the session exists, because servers interpret `initial_events`
 * differently or ignore it.
 */
export async function startSession(
  client: Pick<ServiceClient, 'sessions' | 'files'>,
  params: SessionStartParams,
  options: SessionStartOptions,
): Promise<StartedSession> {
  const { environmentId, title, vaultIds = [], budget } = params;
  const mounted = await uploadAll(client, params, options);
  const resources = [...(mounted ?? []), ...(params.resources ?? [])];
  options.onCreate?.();
  const { data: session, ignored = [] } = await client.sessions.create(
    {
      agent: toAgent(params),
      ...(environmentId === undefined ? {} : { environment_id: environmentId }),
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(resources.length === 0 ? {} : { resources }),
      ...(vaultIds.length === 0 ? {} : { vault_ids: vaultIds }),
      ...(budget === undefined ? {} : { budget }),
    },
    { signal: options.signal },
  );
  return {
    session,
    tookNoFiles: mounted === undefined,
    ignored,
  };
}

function toAgent({ agentId: id, agentVersion: version, overrides = {} }: SessionStartParams): SessionParams['agent'] {
  const chosen = { id, ...(version === undefined ? {} : { version }) };
  if (overrides.model !== undefined || overrides.system !== undefined) {
    return { type: 'agent_with_overrides', ...chosen, ...overrides };
  }
  return version === undefined ? id : { type: 'agent', ...chosen };
}

/** Uploads the files and returns them as resources. Returns `undefined` if the service doesn't support files. */
export async function uploadAll(
  client: Pick<ServiceClient, 'files'>,
  { files, folder }: Pick<SessionStartParams, 'files' | 'folder'>,
  { signal, report, uploaded, describeUpload }: SessionStartOptions,
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
