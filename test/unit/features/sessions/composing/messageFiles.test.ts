import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError } from '../../../../../src/client/transport/errors';
import type { LocalFile } from '../../../../../src/common/files/localFile';
import { MessageFiles } from '../../../../../src/features/sessions/composing/messageFiles';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const { signal } = new AbortController();

function fileOf(relativePath: string, content: string | Uint8Array, byteLength?: number): LocalFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const body = {
    byteLength: bytes.length,
    async *open() {
      yield bytes;
    },
  };
  const name = relativePath.split('/').at(-1) ?? '';
  return { key: `${relativePath}\n${bytes.length}`, name, relativePath, byteLength: byteLength ?? bytes.length, open: async () => body };
}

function failure(status: number, message: string): Error {
  const facts = { kind: 'invalid_request', outcome: 'not_acted', method: 'POST', host: 'h', path: '/', status } as const;
  return new ServiceError(message, facts as unknown as ConstructorParameters<typeof ServiceError>[1]);
}

function setUp() {
  const files = new Map<string, LocalFile>([
    ['a', fileOf('src/app.ts', 'let a;\n')],
    ['env', fileOf('.env', 'KEY=1')],
    ['png', fileOf('a.png', Uint8Array.of(0x89, 0x50, 0xff))],
    ['big', fileOf('big.log', 'x', 200_001)],
  ]);
  const calls: string[] = [];
  const state: { refusal: Error | undefined; isTrusted: boolean } = { refusal: undefined, isTrusted: true };
  const client = {
    files: {
      upload: async ({ name }: { name: string }) => {
        calls.push(`upload ${name}`);
        return { data: { id: `id of ${name}` } };
      },
    },
    sessions: {
      addResource: async (sessionId: string, { file_id }: { file_id: string }) => {
        if (state.refusal !== undefined) {
          throw state.refusal;
        }
        calls.push(`mount ${file_id} into ${sessionId}`);
        return { data: { mount_path: `/mnt/${file_id}` } };
      },
    },
  };
  const attached = new MessageFiles({
    sessionId: 'sesn_1',
    open: async id => files.get(id),
    service: async () => {
      if (!state.isTrusted) {
        throw new Error('This workspace is not trusted.');
      }
      return client as unknown as Pick<ServiceClient, 'sessions' | 'files'>;
    },
    confirmUpload: async locals => void calls.push(`ask for ${locals.length}`),
    t: fillPlaceholders,
    locale: 'en',
  });
  return { attached, files, calls, state };
}

describe('features/sessions/composing/messageFiles', () => {
  it('attaches text as text, and explains why other files must be uploaded', async () => {
    const { attached, calls } = setUp();
    for (const id of ['a', 'env', 'png', 'big']) {
      await attached.attach(id, 'text');
    }
    assert.deepEqual(
      attached.list.map(({ path, as, notAsText, warning }) => [path, as, notAsText, warning !== undefined]),
      [
        ['src/app.ts', 'text', undefined, false],
        ['.env', 'text', undefined, true],
        ['a.png', 'upload', 'Not UTF-8', false],
        ['big.log', 'upload', 'Too large to send as text (limit 200 KB).', false],
      ],
    );
    await attached.attach('a', 'upload');
    assert.equal(attached.list[0]?.as, 'upload');
    attached.detach('env');
    assert.deepEqual(
      attached.list.map(({ id }) => id),
      ['a', 'png', 'big'],
    );
    assert.deepEqual(calls, []);
  });

  it('attaches only offered files, up to a limit', async () => {
    const { attached, files } = setUp();
    await assert.rejects(attached.attach('/etc/passwd', 'text'), /Attach the file again/);
    for (let count = 0; count < 20; count++) {
      files.set(`f${count}`, fileOf(`f${count}`, 'x'));
      await attached.attach(`f${count}`, undefined);
    }
    await assert.rejects(attached.attach('a', undefined), /at most 20/);
    await attached.attach('f0', 'upload');
  });

  it('reads a file again when it is sent, and sends nothing if it is no longer text', async () => {
    const { attached, files, calls } = setUp();
    await attached.attach('a', undefined);
    files.set('a', fileOf('src/app.ts', 'let b;\n'));
    assert.deepEqual(await attached.contentOf([{ id: 'a', as: 'text' }], signal), [
      { type: 'text', text: 'File src/app.ts:\n\n```ts\nlet b;\n```' },
    ]);
    files.set('a', fileOf('src/app.ts', Uint8Array.of(0)));
    await assert.rejects(attached.contentOf([{ id: 'a', as: 'text' }], signal), /^Error: src\/app.ts: Not UTF-8/);
    assert.deepEqual(calls, []);
  });

  it('uploads and mounts a binary file once, and returns its path', async () => {
    const { attached, calls, state } = setUp();
    state.refusal = failure(400, 'not now');
    await assert.rejects(attached.contentOf([{ id: 'png', as: 'upload' }], signal), /Couldn't add a\.png to the session\. not now/);
    state.refusal = undefined;
    const sent = [{ id: 'png', as: 'upload' as const }];
    const [block] = await attached.contentOf(sent, signal);
    assert.deepEqual(block, { type: 'text', text: 'File a.png was added to the session at /mnt/id of a.png' });
    await attached.contentOf(sent, signal);
    assert.deepEqual(calls, ['ask for 1', 'upload a.png', 'ask for 1', 'mount id of a.png into sesn_1']);
  });

  it('limits the text of one message', async () => {
    const { attached, files } = setUp();
    const sent = Array.from({ length: 6 }, (_, count) => ({ id: `f${count}`, as: 'text' as const }));
    for (const { id } of sent) {
      files.set(id, fileOf(id, 'x'.repeat(190_000)));
    }
    await assert.rejects(attached.contentOf(sent, signal), /Too large to send as text \(limit 1 MB\)/);
    assert.equal((await attached.contentOf(sent.slice(1), signal)).length, 5);
  });

  it('reads nothing if nothing may be sent', async () => {
    const { attached, state, calls } = setUp();
    state.isTrusted = false;
    await assert.rejects(attached.contentOf([{ id: 'png', as: 'upload' }], signal), /not trusted/);
    assert.deepEqual(calls, []);
  });
});
