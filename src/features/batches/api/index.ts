// Exports that other features load on demand. They don't depend on VS Code.

export { nameOfResults } from '../batchPresentation';
export { describeAct, describeCause, describeReason, proposedAct, retrySourcesOf } from '../retrying/retryPresentation';
export { costOf, costOfReport, costOfUsage, describeCost, isExact } from '../runCost';
export type { ShownSheet } from '../sheet/sheets';
