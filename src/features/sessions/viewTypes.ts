/** View types of the panels. `exportedSession` is also in package.json. */
export const viewTypes = {
  session: 'managedAgents.session',
  newSession: 'managedAgents.newSession',
  exportedSession: 'managedAgents.exportedSession',
  inbox: 'managedAgents.inbox',
  comparison: 'managedAgents.sessionComparison',
} as const;
