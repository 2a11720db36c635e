import { existsSync, rmSync } from 'node:fs';
import { formatText } from '../../../../src/contract/problem';
import { checkRequestLine } from '../../../../src/jsonl/checking/requestRules';
import type { ConvertOptions } from '../../../../src/jsonl/converting/chatParams';
import { convertFile } from '../../../../src/jsonl/converting/convertFile';
import { surveyForeign } from '../../../../src/jsonl/converting/surveyForeign';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { quiet, TestFiles } from '../arranging/requestFiles';

export const options: ConvertOptions = { models: [], model: 'm', maxTokens: 99, takenIds: [] };

export const errorsOf = (line: string) =>
  checkRequestLine(line, 0, contractRules('2026-01-01')).problems.filter(({ severity }) => severity === 'error');

/** Creates files in a folder, and converts them. */
export function createConversion() {
  const files = new TestFiles();

  async function convert(text: string | Uint8Array, changed: Partial<ConvertOptions> = {}) {
    const source = files.write('in.jsonl', text);
    for (const name of ['out.jsonl', 'rest.jsonl']) {
      rmSync(files.at(name), { force: true });
    }
    const { takenIds } = surveyForeign({ path: source }, quiet);
    const report = await convertFile(
      { path: source, outPath: files.at('out.jsonl'), restPath: files.at('rest.jsonl'), options: { ...options, takenIds, ...changed } },
      quiet,
    );
    const rest = existsSync(files.at('rest.jsonl')) ? files.read('rest.jsonl').split('\n').slice(0, -1) : [];
    return {
      report,
      lines: files.read('out.jsonl').split('\n').slice(0, -1),
      rest,
      notes: report.notes.map(note => `${note.field}: ${formatText(note.text)} ${note.count}`),
      failures: report.failures.map(failure => `${formatText(failure.text)} ${failure.first.map(({ line }) => line + 1).join()}`),
    };
  }

  return { files, convert };
}
