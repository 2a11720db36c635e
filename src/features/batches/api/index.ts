// Exports that other features load on demand. They don't depend on VS Code.

export { nameOfResults } from '../batchPresentation';
export { describeAct, describeCause, describeReason, proposedAct, type RetrySources, retrySourcesOf } from '../retrying/retryPresentation';
export { costOf, costOfReport, costOfUsage, describeAliases, describeCost, isExact } from '../runCost';
export type { ShownSheet } from '../sheet/sheets';
