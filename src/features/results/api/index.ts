// Exports that other features load on demand. They don't depend on VS Code.
export { type Arrangement, ResultsTable } from '../table/resultsTable';
