import type { Handlers } from '../../../common/commands';
import { createFromFile, createResource } from '../createResource';
import type { ResourceFlow } from '../resourceFlow';
import { addCredential } from './addCredential';
import { editCredential, rotateCredential, validateCredential } from './changeCredential';
import { mendCredential } from './mendCredential';

/** What the commands on vaults and credentials do. */
export function createVaultCommands(flow: ResourceFlow) {
  return {
    'managedAgents.vault.create': () => createResource(flow, 'vault'),
    'managedAgents.vault.createFromFile': file => createFromFile(flow, 'vault', file),
    'managedAgents.credential.add': target => addCredential(flow, target),
    'managedAgents.credential.rotate': target => rotateCredential(flow, target),
    'managedAgents.credential.edit': target => editCredential(flow, target),
    'managedAgents.credential.validate': target => validateCredential(flow, target),
    'managedAgents.credential.mend': need => mendCredential(flow, need),
  } satisfies Partial<Handlers>;
}
