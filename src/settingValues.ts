/** A connection as it stands in settings. */
export interface ConnectionSetting {
  readonly baseUrl: string;
  readonly auth?: 'x-api-key' | 'bearer';
  readonly dialect?: 'contract' | 'anthropic-2023' | 'anthropic-2026';
  readonly betas?: readonly string[];
  readonly maxRequests?: number;
  readonly maxBytes?: number;
  readonly allowInsecureHttp?: boolean;
}

/** What one million tokens of a model cost in a batch, in the currency of `managedAgents.estimate.currency`. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}
