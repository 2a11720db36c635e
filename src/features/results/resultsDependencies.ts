import type { BatchesDependencies } from '../batches';
import type { RuleSettings } from '../requests';

export type ResultsDependencies = Pick<BatchesDependencies, 'context' | 'commands' | 'log' | 'connections' | 'jobs' | 'registry'> & {
  readonly rules: RuleSettings;
};
