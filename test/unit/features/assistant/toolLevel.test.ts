import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toolLevels, toToolLevel } from '../../../../src/features/assistant/toolLevel';
import { runs } from '../../../helpers/runs';

describe('features/assistant/toolLevel', () => {
  it("is the user's setting, or the default", () => {
    assert.equal(toToolLevel({ defaultValue: 'read' }), 'read');
    assert.equal(toToolLevel({ defaultValue: 'read', globalValue: 'full' }), 'full');
    assert.equal(toToolLevel({ defaultValue: 'read', globalValue: 'off' }), 'off');
  });

  it('is lowered by a workspace and by a folder of it', () => {
    assert.equal(toToolLevel({ defaultValue: 'read', globalValue: 'full', workspaceValue: 'metadata' }), 'metadata');
    assert.equal(toToolLevel({ defaultValue: 'read', workspaceFolderValue: 'off' }), 'off');
    assert.equal(toToolLevel({ defaultValue: 'read', workspaceValue: 'metadata', workspaceFolderValue: 'full' }), 'metadata');
  });

  it('is never raised by a workspace, with any settings', () => {
    const value = fc.option(fc.oneof(fc.constantFrom<unknown>(...toolLevels), fc.anything()), { nil: undefined });
    fc.assert(
      fc.property(value, value, value, (globalValue, workspaceValue, workspaceFolderValue) => {
        const own = toToolLevel({ defaultValue: 'read', globalValue });
        const level = toToolLevel({ defaultValue: 'read', globalValue, workspaceValue, workspaceFolderValue });
        assert.ok(toolLevels.includes(level));
        assert.ok(toolLevels.indexOf(level) <= toolLevels.indexOf(own));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('is off for an invalid value', () => {
    assert.equal(toToolLevel({ defaultValue: 'read', globalValue: 'everything' }), 'off');
    assert.equal(toToolLevel({ defaultValue: 'read', globalValue: 'full', workspaceValue: 'Full' }), 'off');
    assert.equal(toToolLevel(), 'off');
  });
});
