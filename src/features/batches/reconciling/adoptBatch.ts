import type { BatchReference } from '../../../contributions';
import type { RunDependencies } from '../runCommands';

/** Placeholder. */
export async function adoptBatch(_deps: RunDependencies, _target: BatchReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}
