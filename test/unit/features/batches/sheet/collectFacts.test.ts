import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BatchDependencies } from '../../../../../src/features/batches/batchDependencies';
import { collectFacts } from '../../../../../src/features/batches/sheet/collectFacts';
import type { SheetStatus } from '../../../../../src/features/batches/sheet/presentation/sheetFacts';
import type { SheetKnowledge } from '../../../../../src/features/batches/sheet/sheetKnowledge';
import { report, survey } from './sheetUnderTest';

describe('features/batches/sheet/collectFacts', () => {
  it("names the file's lines for findings and problems in the requests of a retry", () => {
    const range = { line: 1, start: 3, end: 9, masked: 'sk-…' };
    const problem = { rule: 'model-name', line: 0, start: 0, end: 1, path: [], severity: 'warning', text: { template: '', args: [] } };
    const knowledge = {
      choice: 'retry',
      outgoing: { fileLines: Uint32Array.of(4, 7), report: { ...report, problems: [problem], ruleCounts: [] } },
    } as unknown as SheetKnowledge;
    const status = {
      survey: { name: 'done', survey: { ...survey, findings: [{ pattern: 'api-key', kind: 'secret', count: 1, ranges: [range] }] } },
    } as unknown as SheetStatus;
    const deps = {
      connections: { current: undefined },
      registry: { all: () => [] },
      rules: { options: () => ({}) },
      target: vscode.Uri.file('/requests.jsonl'),
    } as unknown as Pick<BatchDependencies, 'connections' | 'registry' | 'rules'> & { readonly target: vscode.Uri };
    const { survey: shown, report: checked } = collectFacts(deps, knowledge, status);
    assert.ok(shown.name === 'done');
    assert.deepEqual([shown.survey.findings[0]?.ranges[0]?.line, checked?.problems[0]?.line], [7, 4]);
  });
});
