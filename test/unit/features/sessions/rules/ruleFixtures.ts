import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { RuledAsk } from '../../../../../src/features/sessions/rules/decideByRules';
import type { ApprovalRule } from '../../../../../src/features/sessions/rules/ruleFiles';

/** Returns a rule that is on and allows `npm test` in bash. `more` replaces fields. */
export function ruleOf(more: Partial<ApprovalRule> = {}): ApprovalRule {
  return {
    version: 1,
    id: randomUUID(),
    name: 'Tests',
    isOn: true,
    result: 'allow',
    connection: 'Lab',
    service: 'http://127.0.0.1:1',
    tool: 'bash',
    fields: [{ field: 'command', match: 'equals', value: 'npm test' }],
    createdAt: '2026-11-23T10:00:00.000Z',
    ...more,
  };
}

/** Returns an ask of bash for a command. `more` replaces fields. */
export function askOf(input: unknown, more: Partial<RuledAsk> = {}): RuledAsk {
  return {
    connection: 'Lab',
    service: 'http://127.0.0.1:1',
    session: 'sesn_1',
    agent: 'agent_1',
    tool: 'bash',
    server: undefined,
    input,
    ...more,
  };
}

/** Runs a test with its own folder. */
export async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rules-'));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
