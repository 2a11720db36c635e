/** The kind of panel that shows results, as VS Code knows it; it also stands in the activation events of package.json. */
export const resultsViewType = 'managedAgents.results';
