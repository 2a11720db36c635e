/** The kinds of panel, as VS Code knows them; `exportedSession` also stands in package.json. */
export const viewTypes = {
  session: 'managedAgents.session',
  exportedSession: 'managedAgents.exportedSession',
  inbox: 'managedAgents.inbox',
  comparison: 'managedAgents.sessionComparison',
} as const;
