import * as z from 'zod';
import { formatText } from '../../../contract/problem';
import { RequestBuilder, RowMismatch } from '../../../jsonl/building/requestBuilder';
import { compareColumns } from '../../../jsonl/building/requestTemplate';
import type { Row } from '../../../jsonl/building/rowsReport';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { defineTool, type ToolResult, ToolRefusal } from '../assistantTool';
import { fileField } from '../toolFields';
import { toBuildFacts, withRowsOfTemplate } from './rowsOfTemplate';

const input = z.strictObject({
  rows: fileField.describe('Path of a CSV, JSONL or JSON file of rows in the workspace.'),
  template: fileField.describe('Path of a *.batch-template.json: a request in which texts may hold places such as {{column}}.'),
  row: z
    .int()
    .min(1)
    .optional()
    .describe('Number of one row, from 1, whose request is wanted instead of those of the first, the last and a random one.'),
});

export const previewBuildTool = defineTool({
  name: 'preview_build',
  needs: 'read',
  icon: '$(table)',
  description:
    'Shows, offline and without writing anything, what requests a template makes of rows (CSV, JSONL or JSON): how many, which rows are left out and why, columns that are missing or unused, and the requests of the first, the last and a random row, or of the row you name, with their problems. Use it while writing a *.batch-template.json and before write_requests.',
  input,
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
