import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dialects } from '../../../src/client/dialect';

describe('client/dialect', () => {
  it('names each preset as its key', () => {
    for (const [name, dialect] of Object.entries(dialects)) {
      assert.equal(dialect.name, name);
    }
  });

  it('equals the contract', () => {
    const { headerPrefix, version, betaQuery, betas, vendorSkillType, repositoryType, defaultAuth } = dialects.contract;
    assert.deepEqual(
      [headerPrefix, version, betaQuery, betas.batches, vendorSkillType, repositoryType, defaultAuth],
      ['vendor', '2023-06-01', true, 'message-batches-2024-09-24', 'vendor', 'git_repository', 'x-api-key'],
    );
  });

  it('differs from its neighbour of the same era in names only', () => {
    const { contract, 'anthropic-2023': named } = dialects;
    assert.deepEqual(named.betas, contract.betas);
    assert.deepEqual([named.version, named.betaQuery, named.defaultAuth], [contract.version, contract.betaQuery, contract.defaultAuth]);
  });

  it('never sends the agent beta with the memory beta, which services reject together', () => {
    for (const { betas } of Object.values(dialects)) {
      assert.equal(betas.memoryStores, 'agent-memory-2026-07-22');
    }
  });

  it('is small: it and the errors import only a list of names', () => {
    for (const file of ['client/dialect', 'client/transport/errors', 'contract/newerParams']) {
      const imports = [...readFileSync(`src/${file}.ts`, 'utf8').matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from);
      assert.deepEqual(imports, file === 'client/dialect' ? ['../contract/newerParams'] : [], file);
    }
  });
});
