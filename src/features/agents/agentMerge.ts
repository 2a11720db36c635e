export { type MergeConflict, mergeDefinitions as mergeAgents } from '../resources/definitions';
