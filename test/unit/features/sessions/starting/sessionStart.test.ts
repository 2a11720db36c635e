import assert from 'node:assert/strict';
import type { SessionParams } from '../../../../../src/client/resources/sessions';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import type { LocalFile } from '../../../../../src/common/files/localFile';
import { mediaTypeOf } from '../../../../../src/common/files/mediaTypes';
import type { StreamedBody } from '../../../../../src/contract/streamedBody';
import { type MountedFiles, toMountPath, withoutDoubles } from '../../../../../src/features/sessions/attaching/sessionFiles';
import { startSession } from '../../../../../src/features/sessions/starting/createSessions';
import { toAgentParams } from '../../../../../src/features/sessions/starting/startAnswers';

const failure = (kind: ServiceErrorKind) => new ServiceError('no', { kind, outcome: 'refused', method: 'POST', host: 'h', path: '/' });
const file = (name: string, text = name): LocalFile => ({
  key: name,
  name,
  relativePath: `docs/${name}`,
  byteLength: text.length,
  open: async () => ({
    byteLength: text.length,
    async *open() {
      yield Buffer.from(text);
    },
  }),
});

/** A service that records what it receives. */
class Service {
  readonly uploads: string[] = [];
  readonly created: unknown[] = [];
  uploadFailure: { readonly name: string; readonly error: unknown } | undefined;
  createFailure: unknown;

  readonly client = {
    files: { upload: (given: { name: string; content: StreamedBody }) => this.upload(given) },
    sessions: { create: (params: object) => this.create(params) },
  } as unknown as ServiceClient;

  private async upload({ name, content }: { name: string; content: StreamedBody }) {
    if (this.uploadFailure?.name === name) {
      throw this.uploadFailure.error;
    }
    let text = '';
    for await (const piece of content.open(new AbortController().signal)) {
      text += Buffer.from(piece).toString();
    }
    this.uploads.push(`${name} ${text.length}/${content.byteLength}`);
    return { data: { id: `file_${name}` }, requestId: undefined };
  }

  private async create(params: object) {
    if (this.createFailure !== undefined) {
      throw this.createFailure;
    }
    this.created.push(params);
    return { data: { id: 'sesn_1', type: 'session' }, requestId: undefined };
  }
}

describe('features/sessions/starting/sessionStart', () => {
  let service: Service;
  let uploaded: Map<string, string>;
  let shares: (number | undefined)[];
  const start = ({ files = [], folder = '', ...change }: Partial<SessionParams & MountedFiles> = {}) =>
    startSession(
      service.client,
      { agent: 'a', environment_id: 'e', ...change },
      { files, folder },
      {
        signal: new AbortController().signal,
        report: (_, share) => shares.push(share),
        uploaded,
      },
    );

  beforeEach(() => {
    service = new Service();
    uploaded = new Map();
    shares = [];
  });

  it('uses the latest version by ID alone, and sends overrides for this session only', () => {
    const none = { model: undefined, system: undefined };
    assert.equal(toAgentParams('a', undefined, none), 'a');
    assert.deepEqual(toAgentParams('a', 3, none), { type: 'agent', id: 'a', version: 3 });
    assert.deepEqual(toAgentParams('a', undefined, { ...none, system: null }), { type: 'agent_with_overrides', id: 'a', system: null });
    assert.deepEqual(toAgentParams('a', 3, { ...none, model: 'm-2' }), {
      ...{ type: 'agent_with_overrides', id: 'a', version: 3, model: 'm-2' },
    });
  });

  it('sends attached resources after the files', async () => {
    const repository = { type: 'git_repository', url: 'https://h/r', authorization_token: 't' } as const;
    const store = { type: 'memory_store', memory_store_id: 'm' } as const;
    await start({ files: [file('a.txt')], resources: [repository, store], vault_ids: ['v'] });
    assert.deepEqual(service.created, [
      {
        agent: 'a',
        environment_id: 'e',
        vault_ids: ['v'],
        resources: [{ type: 'file', file_id: 'file_a.txt' }, repository, store],
      },
    ]);
  });

  it('uploads the files first and lets the service choose their paths', async () => {
    await start({ files: [file('a.txt'), file('b.txt', 'longer text')] });
    assert.deepEqual(service.uploads, ['a.txt 5/5', 'b.txt 11/11']);
    assert.deepEqual(service.created, [
      {
        agent: 'a',
        environment_id: 'e',
        resources: [
          { type: 'file', file_id: 'file_a.txt' },
          { type: 'file', file_id: 'file_b.txt' },
        ],
      },
    ]);
    assert.equal(shares.at(-1), 1);
    assert.deepEqual(
      shares,
      [...shares].sort((a, b) => (a ?? 0) - (b ?? 0)),
    );
  });

  it('uploads nothing twice when a failed start is retried', async () => {
    const files = [file('a.txt'), file('b.txt')];
    service.uploadFailure = { name: 'b.txt', error: failure('connection_lost') };
    await assert.rejects(start({ files }), { kind: 'connection_lost' });
    service.uploadFailure = undefined;
    service.createFailure = failure('invalid_request');
    await assert.rejects(start({ files }), { kind: 'invalid_request' });
    service.createFailure = undefined;
    await start({ files });
    assert.deepEqual(service.uploads, ['a.txt 5/5', 'b.txt 5/5']);
  });

  it("continues without files if the service doesn't support them, and says so", async () => {
    service.uploadFailure = { name: 'a.txt', error: failure('not_found') };
    assert.equal((await start({ files: [file('a.txt')] })).tookNoFiles, true);
    assert.deepEqual(service.created, [{ agent: 'a', environment_id: 'e' }]);
    assert.equal((await start()).tookNoFiles, false);
  });

  it('puts files where the user wants them, by their workspace paths', async () => {
    await start({ files: [file('a.txt')], folder: '/data/' });
    assert.deepEqual(service.created, [
      { agent: 'a', environment_id: 'e', resources: [{ type: 'file', file_id: 'file_a.txt', mount_path: '/data/docs/a.txt' }] },
    ]);
  });

  it('gives each file of a session a unique name', async () => {
    await start({ files: [file('a.txt'), { ...file('a.txt', 'other'), key: 'other' }] });
    assert.deepEqual(service.uploads, ['a.txt 5/5', 'a (2).txt 5/5']);
    assert.deepEqual(withoutDoubles(['/u/a.txt', '/u/a.txt', '/u/a (2).txt', '/u/.env', '/u/.env']), [
      '/u/a.txt',
      '/u/a (2).txt',
      '/u/a (2) (2).txt',
      '/u/.env',
      '/u/ (2).env',
    ]);
  });

  it('derives the media type from the extension', () => {
    assert.deepEqual(['a.MD', 'b.tar.gz', 'c', 'd.png'].map(mediaTypeOf), ['text/markdown', undefined, undefined, 'image/png']);
  });

  it('keeps a file below its folder, for any path', () => {
    assert.equal(toMountPath('/u', 'src\\a.ts'), '/u/src/a.ts');
    assert.equal(toMountPath('/u/', '../../etc/./passwd'), '/u/etc/passwd');
    assert.equal(toMountPath('u', 'a\u202e\nb.txt'), 'u/a__b.txt');
    assert.equal(toMountPath('/', 'b.txt'), '/b.txt');
  });
});
