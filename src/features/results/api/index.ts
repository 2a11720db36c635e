// Exports that other features load on demand. They don't depend on VS Code.
export { ResultsTable } from '../table/resultsTable';
