import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { formatText } from '../../../contract/problem';
import { RequestBuilder, RowMismatch } from '../../../jsonl/building/requestBuilder';
import { compareColumns, findTemplateErrors, parseTemplate, type RequestTemplate } from '../../../jsonl/building/requestTemplate';
import { detectFileFormat } from '../../../jsonl/building/rowsFormat';
import type { BuildReport, Row, RowsSurvey } from '../../../jsonl/building/rowsReport';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { FixSelection } from '../../../jsonl/fixes/lineFix';
import type { TextProblem } from '../../../jsonl/reading/textFile';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import type { AssistantServices, NamedFile } from '../assistantServices';
import { defineTool, fileField, ToolRefusal, type ToolResult } from '../assistantTool';

export const previewBuildTool = defineTool({
  name: 'preview_build',
  needs: 'read',
  icon: '$(table)',
  description:
    'Previews the requests that a template builds from rows (CSV, JSONL or JSON), offline and without writing anything: their number, the rows left out and why, missing and unused columns, and the requests of the first, the last and a random row, or of the row you name, with their problems. Use it while you write a *.batch-template.json, and before write_requests.',
  input: z.strictObject({
    rows: fileField.describe('Path of a CSV, JSONL or JSON file of rows in the workspace.'),
    template: fileField.describe('Path of a *.batch-template.json: a request whose texts can contain placeholders such as {{column}}.'),
    row: z.int().min(1).optional().describe('1-based number of the row to preview, instead of the first, the last and a random row.'),
  }),
  async run(given, services, signal): Promise<ToolResult> {
    return await withRowsOfTemplate(services, given, signal, async ({ rows, template, rowsPath, survey, columns, text, parsed }) => {
      const rules = services.rules(template);
      const source = { rowsPath, format: survey.format, columns, template: text, rules };
      const report = await services.jobs.run('buildRequests', source, { signal });
      const builder = new RequestBuilder(parsed, columns);
      const { missing, unused } = compareColumns(parsed, columns);
      if (given.row !== undefined && survey.wanted === undefined) {
        throw new ToolRefusal(
          `${rows.name} has no row ${given.row}: it has ${survey.rowCount}. Call again with a row from 1 to ${survey.rowCount}.`,
        );
      }
      const chosen = survey.wanted === undefined ? [survey.first, survey.random[0], survey.last] : [survey.wanted];
      const samples = chosen.filter(sample => sample !== undefined);
      const others = samples.filter((sample, at) => samples.findIndex(({ number }) => number === sample.number) === at);
      return {
        facts: {
          ...{ rowsFile: rows.name, template: template.name, format: survey.format.kind, columns, ...toBuildFacts(report) },
          optionalColumnsMissing: missing.map(({ name }) => name),
          columnsUnused: unused,
        },
        list: { name: 'samples', items: others.map(sample => toRequest(sample, builder, rules)) },
      };
    });
  },
});

function toRequest(row: Row, builder: RequestBuilder, rules: RuleOptions): object {
  try {
    const line = builder.build(row);
    const problems = checkRequestLine(line, 0, rules).problems.map(({ severity, text }) => ({ severity, message: formatText(text) }));
    return { row: row.number, request: JSON.parse(line) as unknown, problems };
  } catch (error) {
    if (error instanceof RowMismatch) {
      return { row: row.number, leftOut: formatText(error.text) };
    }
    throw error;
  }
}

export const writeRequestsTool = defineTool({
  name: 'write_requests',
  needs: 'read',
  icon: '$(new-file)',
  description:
    'Writes a new JSONL request file in the workspace: either requests built from rows with a template (rows, template, output), or a copy of a request file with fixes applied (file, fixes, output). Never replaces or changes a file, sends nothing and costs nothing. Use it after you checked the output of preview_build or check_requests, then call check_requests on the new file.',
  input: z.strictObject({
    output: fileField.describe('Path of the new .jsonl file in the workspace. The file must not exist.'),
    rows: fileField.optional().describe('To build: path of the file of rows. Requires template.'),
    template: fileField.optional().describe('To build: path of the *.batch-template.json.'),
    file: fileField.optional().describe('To fix: path of the request file to copy with fixes. Use instead of rows and template.'),
    fixes: z
      .array(z.string().max(50))
      .min(1)
      .max(60)
      .optional()
      .describe('To fix: names of fixes from check_requests. Default: all safe fixes.'),
  }),
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
      'Nothing was written. Give rows and template to build requests, or file (and fixes, to apply only some) to fix them.',
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
          `Nothing was written: ${report.stop === undefined ? 'no row builds a request. Call preview_build to see why.' : toSentence(report.stop)}`,
        );
      }
      return report;
    });
    return { facts: { written: file.name, ...toBuildFacts(value), advice: `Call check_requests on ${file.name}.` } };
  });
}

async function fix(
  services: AssistantServices,
  { file, fixes }: { readonly file: string; readonly fixes: readonly string[] | undefined },
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
        `None of these fixes would change ${source.name}, so nothing was written. Use a fix that check_requests lists.`,
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
    throw new ToolRefusal(`Unknown fix: ${unknown.slice(0, 5).join(', ')}. Nothing was written. Use a fix that check_requests lists.`);
  }
  return fixes === undefined ? {} : { kinds: fixes as readonly FixKind[] };
}

/** Rows and a template with their contents. */
interface RowsOfTemplate {
  readonly rows: NamedFile;
  readonly template: NamedFile;
  readonly rowsPath: string;
  readonly survey: RowsSurvey;
  readonly columns: readonly string[];
  readonly text: string;
  readonly parsed: RequestTemplate;
}

const maxTemplateBytes = 4_000_000;

/** Reads rows and a template and passes them to `use`. Throws a `ToolRefusal` if no requests can be built from them. */
async function withRowsOfTemplate<T>(
  services: AssistantServices,
  named: { readonly rows: string; readonly template: string; readonly row?: number | undefined },
  signal: AbortSignal,
  use: (given: RowsOfTemplate) => Promise<T>,
): Promise<T> {
  const [rows, template] = [await services.findFile(named.rows), await services.findFile(named.template)];
  const text = await services.readFile(template, readTemplate);
  return await services.readFile(rows, async rowsPath => {
    const { format } = detectFileFormat(rowsPath, path.basename(rows.path));
    const survey = await services.jobs.run(
      'surveyRows',
      { path: rowsPath, format, ...(named.row !== undefined && { wanted: named.row }) },
      { signal },
    );
    if (survey.stop !== undefined) {
      throw new ToolRefusal(`${rows.name} cannot be read as rows. ${toSentence(survey.stop)}`);
    }
    const columns = survey.columns.map(({ name }) => name);
    const parsed = parseTemplate(text);
    const errors = findTemplateErrors(parsed, columns);
    if (errors.length > 0) {
      const problems = errors.slice(0, 10).map(error => `line ${text.slice(0, error.start).split('\n').length}: ${formatText(error.text)}`);
      throw new ToolRefusal(
        `Fix ${template.name} first. ${problems.join(' ')} Columns of the rows: ${columns.slice(0, 50).join(', ')}. Write placeholders as {{column}}.`,
      );
    }
    return await use({ rows, template, rowsPath, survey, columns, text, parsed });
  });
}

/** Converts the report of a build to facts for a model. */
function toBuildFacts({ rowCount, requestCount, skippedRows, badRequests, bytes, problems }: BuildReport): object {
  return {
    ...{ rows: rowCount, requests: requestCount, rowsLeftOut: skippedRows, requestsWithErrors: badRequests, bytes },
    problems: problems.slice(0, 10).map(({ severity, text, count, rows }) => ({
      ...{ severity, message: formatText(text), count },
      firstRow: rows[0]?.row,
    })),
  };
}

/** Returns a problem as an English sentence with its line. */
function toSentence({ line, text }: TextProblem): string {
  return `Line ${line + 1}: ${formatText(text)}`;
}

async function readTemplate(file: string): Promise<string> {
  if ((await stat(file)).size > maxTemplateBytes) {
    throw new ToolRefusal('The template is larger than 4 MB. Check that rows and template are not swapped.');
  }
  return await readFile(file, 'utf8');
}
