// What other features load late. Nothing of it needs VS Code.
export { nextAskLog } from '../facts/askLog';
export { readAsks } from '../facts/readAsks';
