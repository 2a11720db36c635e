/** Ids of the views; others import them from contributions.ts, with the rest of what package.json declares. */
export const views = {
  batches: 'managedAgents.batches',
  sessions: 'managedAgents.sessions',
  agents: 'managedAgents.agents',
  resources: 'managedAgents.resources',
} as const;
