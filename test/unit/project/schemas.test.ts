import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { docFiles } from '../../schemas/docTables';
import { fieldGuide, valueGuide } from '../../schemas/messageParamsGuide';
import { requestSchemaFiles, SchemaWriter } from '../../schemas/requestSchema';

describe('project/schemas', () => {
  for (const [file, text] of requestSchemaFiles()) {
    it(`contains ${file} as generated from the client's schemas: npm run schemas`, () => {
      assert.equal(readFileSync(file, 'utf8'), text);
    });
  }

  for (const [file, text] of docFiles()) {
    it(`contains ${file} as generated from the manifest and the rules: npm run schemas`, () => {
      assert.equal(readFileSync(file, 'utf8'), text);
    });
  }

  it('has no unused words', () => {
    const writer = new SchemaWriter();
    writer.write('', '');
    assert.deepEqual(
      [...fieldGuide.keys(), ...valueGuide.keys()].filter(key => !writer.used.has(key)),
      [],
    );
  });

  it('refers to existing definitions, all of them needed', () => {
    for (const text of requestSchemaFiles().values()) {
      const { definitions } = JSON.parse(text) as { definitions: object };
      const named = new Set([...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name));
      assert.deepEqual([...named].sort(), Object.keys(definitions).sort());
    }
  });
});
