export { isConflict } from '../isConflict';
export { type Asker, type Reached, Service } from '../service';
export { askNewDraft, discard, readSource } from './askNewDraft';
export { DefinitionFiles, isSameDocument, nameInUri, toShown } from './definitionFiles';
export type { DraftState } from './draftLenses';
export { createFrom, type Publishing, publishDraft, publishNew } from './publishDraft';
export { closeTabsOf, confirmBeside, saveOpenDocuments, showDiff } from './publishSteps';
