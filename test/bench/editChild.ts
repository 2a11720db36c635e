// Runs of the row `edit` in a process of their own: editChild COUNT ROUNDS, one line of JSON.
import { FileAnswers } from '../../src/features/requests/answers/fileAnswers';
import type { AnswerFiles } from '../../src/features/requests/answers/submissionAnswerFiles';
import { DocumentChecker } from '../../src/jsonl/checking/documentChecker';
import { requestLines } from './batchFiles.mjs';
import { measureRun, type Run } from './measuring';

const [count = '80000', rounds = '5'] = process.argv.slice(2);
const lines: string[] = [...requestLines(Number(count), 250)];
const document = {
  get lineCount() {
    return lines.length;
  },
  lineAt: (line: number) => ({ text: lines[line] ?? '' }),
};
const { signal } = new AbortController();
const none = () => Promise.reject(new Error('none'));
const unknown = async () => undefined;
const files: AnswerFiles = {
  ...{ openResults: none, openHistory: none, idsOf: unknown, hashesOf: unknown },
  ...{ retry: () => {}, hashRequest: () => undefined },
};
/** Handles a change event: checks the changed lines, and updates the totals and the positions of the answers. */
function edit(checker: DocumentChecker, answers: FileAnswers, at: number, inserted: number): number {
  checker.change(at, 1, inserted);
  answers.change([{ start: at, removed: 1, inserted }]);
  return checker.totals.requests;
}

const runs: Record<string, Run[]> = { sweep: [], key: [], enter: [], problems: [] };
for (let round = 0; round < Number(rounds); round++) {
  const checker = new DocumentChecker(document);
  runs.sweep?.push(await measureRun(() => checker.sweep(() => new Promise(setImmediate), signal)));
  const answers = new FileAnswers(
    { ...document, version: 1 },
    () => checker,
    files,
    () => {},
  );
  answers.vouch('as it was sent');
  const at = Math.floor((lines.length * (round + 1)) / (Number(rounds) + 2));
  lines[at] = lines[at]?.replace('"custom_id":"', '"custom_id":"x') ?? '';
  runs.key?.push(await measureRun(() => edit(checker, answers, at, 1)));
  lines.splice(at, 1, lines[at] ?? '', '');
  runs.enter?.push(await measureRun(() => edit(checker, answers, at, 2)));
  runs.problems?.push(await measureRun(() => void checker.problems(1000)));
}
console.log(JSON.stringify(runs));
