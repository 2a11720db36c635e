import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { everyKind } from '../../../../../src/features/resources/kinds';

describe('features/resources/kinds: definitions', () => {
  const editable = everyKind.flatMap(({ kind, definition }) =>
    definition === undefined || definition.isReadonly ? [] : [{ kind, definition }],
  );

  it('exist', () => assert.ok(editable.length >= 5));

  for (const { kind, definition } of editable) {
    it(`order the fields that the JSON schema describes, and require the same ones: ${kind}`, () => {
      const file = `media/schemas/${definition.ending}.schema.json`;
      assert.ok(existsSync(file), file);
      const schema = JSON.parse(readFileSync(file, 'utf8')) as { readonly properties: object; readonly required: readonly string[] };
      assert.deepEqual([...definition.order].sort(), Object.keys(schema.properties).sort());
      assert.deepEqual(definition.required, schema.required);
    });
  }
});
