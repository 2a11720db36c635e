import type { EditingDependencies } from './editing';

/** Shows what a rule means; without one the user is asked. */
export async function explainRule(_deps: EditingDependencies, _rule: string | undefined): Promise<void> {
  throw new Error('This is being built.');
}

/** Asks for another severity of a rule and writes it into the settings. */
export async function changeSeverity(_deps: EditingDependencies, _rule: string | undefined): Promise<void> {
  throw new Error('This is being built.');
}
