import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fieldGuide, valueGuide } from '../../../src/contract/messageParamsGuide';
import { docFiles } from '../../schemas/docTables';
import { requestSchemaFiles, SchemaWriter } from '../../schemas/requestSchema';

describe('project/schemas', () => {
  for (const [file, text] of requestSchemaFiles()) {
    it(`holds ${file} as the schemas of the client have it: npm run schemas`, () => {
      assert.equal(readFileSync(file, 'utf8'), text);
    });
  }

  for (const [file, text] of docFiles()) {
    it(`holds ${file} as the manifest and the rules have it: npm run schemas`, () => {
      assert.equal(readFileSync(file, 'utf8'), text);
    });
  }

  it('has no words that nothing needs', () => {
    const writer = new SchemaWriter();
    writer.write('', '');
    assert.deepEqual(
      [...fieldGuide.keys(), ...valueGuide.keys()].filter(key => !writer.used.has(key)),
      [],
    );
  });

  it('refers to definitions that are there, all of them needed', () => {
    for (const text of requestSchemaFiles().values()) {
      const { definitions } = JSON.parse(text) as { definitions: object };
      const named = new Set([...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name));
      assert.deepEqual([...named].sort(), Object.keys(definitions).sort());
    }
  });
});
