import assert from 'node:assert/strict';
import { toLinkTarget } from '../../../../../../src/features/sessions/panel/parts/openLink';

describe('features/sessions/panel/parts/linkTarget', () => {
  it('accepts https anywhere, and http to this machine', () => {
    assert.equal(toLinkTarget('https://example.com/a?b=c#d')?.href, 'https://example.com/a?b=c#d');
    assert.equal(toLinkTarget('http://127.0.0.1:3000/')?.host, '127.0.0.1:3000');
    assert.equal(toLinkTarget('http://[::1]:3000/')?.host, '[::1]:3000');
    assert.equal(toLinkTarget(' http://localhost/x ')?.host, 'localhost');
  });

  it('rejects every other scheme, plain http elsewhere, and invalid addresses', () => {
    for (const href of [
      'http://example.com/',
      'http://127.0.0.1.example.com/',
      'http://localhost.example.com/',
      'command:workbench.action.terminal.new',
      'command://x/y',
      'vscode://file/etc/passwd',
      'vscode-insiders://x',
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'mailto:a@example.com',
      'ftp://example.com/',
      '/etc/passwd',
      '#top',
      'example.com',
      '',
      'https://',
      'java\nscript:alert(1)',
    ]) {
      assert.equal(toLinkTarget(href), undefined, href);
    }
  });

  it('rejects a user name before the host', () => {
    assert.equal(toLinkTarget('https://bank.example@evil.example/'), undefined);
    assert.equal(toLinkTarget('https://bank.example:443@evil.example/'), undefined);
  });

  it('shows the host as it is resolved, without bidirectional or hidden characters', () => {
    assert.equal(toLinkTarget('https://аpple.com/')?.host, 'xn--pple-43d.com');
    const target = toLinkTarget('https://example.com/\u202egpj.exe\u200b/\u0007');
    assert.match(target?.shown ?? '', /^https:\/\/example\.com\/[\x21-\x7e]*$/);
    assert.ok(target?.shown.includes('%E2%80%AE'));
    assert.equal(Array.from(toLinkTarget(`https://example.com/${'x'.repeat(5000)}`)?.shown ?? '').length, 600);
  });
});
