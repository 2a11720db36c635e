/** View type of comparison panels. Must match the activation event in package.json. */
export const comparisonViewType = 'managedAgents.comparison';
