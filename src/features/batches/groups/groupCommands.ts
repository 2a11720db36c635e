import type { RunReference } from '../../../contributions';
import type { RunDependencies } from '../runCommands';

/** Placeholder. */
export async function resume(_deps: RunDependencies, _target: RunReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function cancel(_deps: RunDependencies, _target: RunReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function remove(_deps: RunDependencies, _target: RunReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function fetchResults(_deps: RunDependencies, _target: RunReference | undefined): Promise<void> {
  throw new Error('This is being built.');
}
