import assert from 'node:assert/strict';
import { Log } from '../../../src/common/log';
import { registerOptional } from '../../../src/common/optionalApi';
import * as vscode from '../../helpers/vscode';

describe('common/optionalApi', () => {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const log = new Log({ warn: note, error: note } as never);
  const has = (api: object | undefined) => Object.assign(vscode.lm, { registerTool: undefined, ...api });

  beforeEach(() => {
    lines.length = 0;
    has(undefined);
  });

  it('registers nothing without the API, and logs what is missing', () => {
    registerOptional('lm.registerTool', log, () => assert.fail('it was registered')).dispose();
    assert.deepEqual(lines, ['This editor does not have vscode.lm.registerTool: no language-model tools.']);
  });

  it('logs why an editor rejects the API, as older ones do for a proposed API', () => {
    has({ registerTool: () => undefined });
    registerOptional('lm.registerTool', log, () => {
      throw new Error('CANNOT use API proposal');
    }).dispose();
    assert.match(lines.join(), /^This editor refused vscode\.lm\.registerTool: no language-model tools\.\nError: CANNOT use API proposal/);
  });

  it('returns what was registered', () => {
    has({ registerTool: () => undefined });
    const registered = { dispose: () => undefined };
    assert.equal(
      registerOptional('lm.registerTool', log, () => registered),
      registered,
    );
    assert.deepEqual(lines, []);
  });
});
