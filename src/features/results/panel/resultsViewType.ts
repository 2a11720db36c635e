/** View type of results panels. Must match the activation event in package.json. */
export const resultsViewType = 'managedAgents.results';
