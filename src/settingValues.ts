export interface ConnectionSetting {
  readonly baseUrl: string;
  readonly auth?: 'x-api-key' | 'bearer';
  readonly dialect?: 'contract' | 'anthropic-2023' | 'anthropic-2026';
  readonly isDialectGuess?: boolean;
  readonly betas?: readonly string[];
  readonly maxRequests?: number;
  readonly maxBytes?: number;
  readonly allowInsecureHttp?: boolean;
}

/** Price of one million tokens of a model in a batch, in the currency of `managedAgents.estimate.currency`. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
}

/** Amounts above which sending needs another confirmation, in the currency of `managedAgents.estimate.currency`. */
export interface SpendLimit {
  readonly batch?: number;
  readonly day?: number;
}

/** Every setting with its type. Mirrors `contributes.configuration` of package.json. A test compares both. */
export interface Settings {
  'managedAgents.connections': Readonly<Record<string, ConnectionSetting>>;
  'managedAgents.connection': string;
  'managedAgents.editor.codeLens': boolean;
  'managedAgents.editor.problems': boolean;
  'managedAgents.editor.answers': boolean;
  'managedAgents.batches.notify': 'always' | 'problems' | 'never';
  'managedAgents.batches.statusBar': boolean;
  'managedAgents.results.includeRequests': boolean;
  'managedAgents.results.fetchWhenEnded': boolean;
  'managedAgents.tests.enabled': boolean;
  'managedAgents.sessions.notify': boolean;
  'managedAgents.sessions.previews': boolean;
  'managedAgents.sessions.promptsFolder': string;
  'managedAgents.emulator.batchSeconds': number;
  /** A workspace can only lower this level (see `toToolLevel`). */
  'managedAgents.ai.tools': 'off' | 'metadata' | 'read' | 'full';
  'managedAgents.ai.through': 'tools' | 'mcp';
  'managedAgents.ai.mcp': boolean;
  'managedAgents.ai.models': boolean;
  'managedAgents.rules': Readonly<Record<string, 'error' | 'warning' | 'information' | 'hint' | 'off'>>;
  'managedAgents.estimate.prices': Readonly<Record<string, ModelPrice>>;
  'managedAgents.estimate.currency': string;
  'managedAgents.estimate.minimumCachedTokens': number;
  'managedAgents.spend.limit': SpendLimit;
}
