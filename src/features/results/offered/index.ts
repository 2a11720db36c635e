// What other features load late. Nothing of it needs VS Code.
export { type Arrangement, ResultsTable } from '../panel/resultsTable';
