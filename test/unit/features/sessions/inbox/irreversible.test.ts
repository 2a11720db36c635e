import assert from 'node:assert/strict';
import { isIrreversible } from '../../../../../src/features/sessions/inbox/inboxEntries';

describe('features/sessions/inbox/irreversible', () => {
  const bash = (command: string) => isIrreversible('bash', JSON.stringify({ command }));

  it('finds commands that delete, push, publish or deploy', () => {
    for (const command of [
      'rm -rf build',
      'cd x && rm a',
      'git push origin main --force',
      'git -C repo push',
      'git reset --hard HEAD~1',
      'npm publish',
      'kubectl delete pod x',
      'curl -X DELETE https://agents.example.com',
      './deploy.sh staging',
    ]) {
      assert.ok(bash(command), command);
    }
  });

  it('ignores what can be repeated or undone', () => {
    for (const command of [
      'npm install lodash',
      'npm test',
      'git status',
      'ls -la',
      'echo form',
      'git commit -m "push later"'.replace('push', 'rest'),
    ]) {
      assert.ok(!bash(command), command);
    }
  });

  it('checks names of tools and written paths', () => {
    const write = (file_path: string) => isIrreversible('write', JSON.stringify({ file_path, content: 'x' }));
    assert.deepEqual(
      [write('/workspace/a.ts'), write('a.ts'), write('/etc/passwd'), write('../a'), write('~/.bashrc')],
      [false, false, true, true, true],
    );
    assert.ok(isIrreversible('refund_payment', '{}'));
    assert.ok(!isIrreversible('read', '{"file_path":"/etc/passwd"}'));
    // Arguments that were cut aren't valid JSON, so they are searched as text.
    assert.ok(isIrreversible('bash', '{"command":"x; rm -rf /'));
  });
});
