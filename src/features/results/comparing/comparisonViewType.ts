/** The kind of panel that shows a comparison, as VS Code knows it; it also stands in the activation events of package.json. */
export const comparisonViewType = 'managedAgents.comparison';
