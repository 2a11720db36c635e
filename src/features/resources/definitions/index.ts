export {
  type Act,
  archivableCalls,
  type KindDefinition,
  type Need,
  namedIn,
  type Resource,
  type ResourceKind,
  type Template,
} from '../resourceKind';
export { type DefinitionPatch, isEqual, isLongText, toPatch } from './definitionPatch';
export {
  type Definition,
  type DefinitionFields,
  type ParsedDefinition,
  parseDefinition,
  toDefinition,
  toDefinitionText,
} from './definitionText';
export { differingExcerpts } from './differingExcerpts';
export { type Draft, type DraftBase, Drafts, draftIdOf, jsonOf, newDraftId, parseDraft } from './drafts';
export { type MergeConflict, mergeDefinitions } from './mergeDefinitions';
export { mergeLines } from './mergeLines';
