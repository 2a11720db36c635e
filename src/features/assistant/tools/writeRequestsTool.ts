import * as z from 'zod';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { FixSelection } from '../../../jsonl/fixes/lineFix';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import type { AssistantServices } from '../assistantServices';
import { defineTool, type ToolResult, ToolRefusal } from '../assistantTool';
import { fileField } from '../toolFields';
import { toBuildFacts, toSentence, withRowsOfTemplate } from './rowsOfTemplate';

const input = z.strictObject({
  output: fileField.describe('Path of the new .jsonl file in the workspace. Nothing may stand there yet.'),
  rows: fileField.optional().describe('To build: path of the rows. Together with template.'),
  template: fileField.optional().describe('To build: path of the *.batch-template.json.'),
  file: fileField.optional().describe('To fix: path of the request file to copy with its fixes. Instead of rows and template.'),
  fixes: z
    .array(z.string().max(50))
    .min(1)
    .max(60)
    .optional()
    .describe('To fix: fixes as check_requests names them; without it, all that are safe.'),
});
type Input = z.infer<typeof input>;

export const writeRequestsTool = defineTool({
  name: 'write_requests',
  needs: 'read',
  icon: '$(new-file)',
  description:
    'Writes a new JSONL request file in the workspace: either every row of a file through a template (rows, template, output), or a copy of a request file with fixes applied (file, fixes, output). Never replaces or changes a file, sends nothing and costs nothing. Use it after preview_build or check_requests looked right; then call check_requests on the output.',
  input,
  acts: true,
  question: ({ output, rows, template, file = '' }, translate) => ({
    title: translate('Write Request File'),
    message:
      rows === undefined || template === undefined
        ? translate('Write a fixed copy of {0} to {1}?', file, output)
        : translate('Build requests from {0} with the template {1} and write them to {2}?', rows, template, output),
  }),
  async run(given, services, signal): Promise<ToolResult> {
    const { rows, template, file, fixes, output } = given;
    if (rows !== undefined && template !== undefined && file === undefined && fixes === undefined) {
      return await build(services, { rows, template }, output, signal);
    }
    if (file !== undefined && rows === undefined && template === undefined) {
      return await fix(services, { file, fixes }, output, signal);
    }
    throw new ToolRefusal(
      'Give either rows and template, to build requests, or file (with fixes, if only some are wanted), to fix them. Nothing was written.',
    );
  },
});

async function build(
  services: AssistantServices,
  named: { rows: string; template: string },
  output: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  return await withRowsOfTemplate(services, named, signal, async ({ rowsPath, survey, columns, text, template }) => {
    const { file, value } = await services.writeNew(output, async outPath => {
      const source = { rowsPath, format: survey.format, columns, template: text, rules: services.rules(template), outPath };
      const report = await services.jobs.run('buildRequests', source, { signal });
      if (report.stop !== undefined || report.requestCount === 0) {
        throw new ToolRefusal(
          `Nothing was written: ${report.stop === undefined ? 'no row makes a request. Call preview_build to see why.' : toSentence(report.stop)}`,
        );
      }
      return report;
    });
    return { facts: { written: file.name, ...toBuildFacts(value), advice: `Call check_requests on ${file.name}.` } };
  });
}

async function fix(
  services: AssistantServices,
  { file, fixes }: Pick<Input, 'fixes'> & { file: string },
  output: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const source = await services.findFile(file);
  const selection = toSelection(fixes);
  const rules = services.rules(source);
  return await services.readFile(source, async path => {
    const work = { type: 'fix', selection } as const;
    const looked = await services.jobs.run('rewriteFile', { path, work, rules }, { signal });
    if (looked.fixes.length === 0) {
      throw new ToolRefusal(
        `None of these fixes would change ${source.name}, so nothing was written. check_requests names those that would.`,
      );
    }
    const written = await services.writeNew(output, outPath =>
      services.jobs.run('rewriteFile', { path, work, rules, outPath }, { signal }),
    );
    return {
      facts: {
        written: written.file.name,
        ...(await checked(services, written.file.path, rules, signal)),
        fixes: written.value.fixes,
        changedLines: written.value.changedLines,
      },
    };
  });
}

async function checked({ jobs, limits }: AssistantServices, path: string, rules: RuleOptions, signal: AbortSignal): Promise<object> {
  const { requestCount, problemCounts } = await jobs.checkFile(path, { limits: limits(), rules, mostProblems: 1 }, { signal });
  return { requests: requestCount, problemsLeft: problemCounts };
}

function toSelection(fixes: readonly string[] | undefined): FixSelection {
  const unknown = fixes?.filter(name => !Object.hasOwn(fixKinds, name)) ?? [];
  if (unknown.length > 0) {
    throw new ToolRefusal(
      `There is no fix ${unknown.slice(0, 5).join(', ')}. check_requests names those that would change something. Nothing was written.`,
    );
  }
  return fixes === undefined ? {} : { kinds: fixes as readonly FixKind[] };
}
