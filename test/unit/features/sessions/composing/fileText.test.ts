import assert from 'node:assert/strict';
import { isSecretName, toFileBlock, toFileText, toMountBlock } from '../../../../../src/features/sessions/composing/fileText';

describe('features/sessions/composing/fileText', () => {
  it('treats UTF-8 as text, and nothing else', () => {
    assert.equal(toFileText(new TextEncoder().encode('Größe\n')), 'Größe\n');
    assert.equal(toFileText(Uint8Array.of(0xff, 0xfe, 0x41)), undefined);
    assert.equal(toFileText(Uint8Array.of(0x41, 0, 0x42)), undefined);
    assert.equal(toFileText(new Uint8Array()), '');
  });

  it("puts a file into a fence that its content can't close", () => {
    assert.equal(toFileBlock('src/app.ts', 'let a;').text, 'File src/app.ts:\n\n```ts\nlet a;\n```');
    const nested = toFileBlock('README', '````md\n```\n````\n').text;
    assert.equal(nested, 'File README:\n\n`````\n````md\n```\n````\n`````');
    assert.equal(toFileBlock('empty.txt', '').text, 'File empty.txt:\n\n```txt\n```');
  });

  it('shows where a file was mounted, if known', () => {
    assert.equal(toMountBlock('a.png', '/mnt/a.png').text, 'File a.png was added to the session at /mnt/a.png');
    assert.equal(toMountBlock('a.png', undefined).text, 'File a.png was added to the session.');
  });

  it('recognizes names of files that often contain secrets, but not their samples', () => {
    const secret = [
      '.env',
      '.ENV.local',
      'prod.env',
      '.envrc',
      '.npmrc',
      'id_ed25519',
      'server.pem',
      'tls.KEY',
      'credentials',
      'secrets.yaml',
    ];
    assert.deepEqual(
      secret.filter(name => !isSecretName(name)),
      [],
    );
    const open = ['.env.example', '.env.sample', 'environment.ts', 'id_rsa.pub', 'keys.ts', 'secretary.md', 'app.ts'];
    assert.deepEqual(open.filter(isSecretName), []);
  });
});
