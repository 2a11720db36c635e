// What other features load late. Nothing of it needs VS Code.
export { openAsks } from '../asks/openAsks';
export { sessionStates, stateOf } from '../list/listedSession';
export { readNewestEvents } from '../list/newestEvents';
export { describeRest, restAfter } from '../list/sessionRest';
