// Functions that other features load on demand. They don't need VS Code.
export { nextAskLog } from '../facts/askLog';
export { readAsks } from '../facts/readAsks';
