import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatText } from '../../../contract/problem';
import { findTemplateErrors, parseTemplate, type RequestTemplate } from '../../../jsonl/building/requestTemplate';
import { detectFileFormat } from '../../../jsonl/building/rowsFormat';
import type { BuildReport, RowsSurvey } from '../../../jsonl/building/rowsReport';
import type { TextProblem } from '../../../jsonl/reading/textFile';
import type { AssistantServices, NamedFile } from '../assistantServices';
import { ToolRefusal } from '../assistantTool';

/** Rows and a template, read together. */
export interface RowsOfTemplate {
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
export async function withRowsOfTemplate<T>(
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
        `Nothing can be built before ${template.name} is corrected. ${problems.join(' ')} The rows have the columns: ${columns.slice(0, 50).join(', ')}. A place is written {{column}}.`,
      );
    }
    return await use({ rows, template, rowsPath, survey, columns, text, parsed });
  });
}

/** Converts the report of a build to facts for a model. */
export function toBuildFacts({ rowCount, requestCount, skippedRows, badRequests, bytes, problems }: BuildReport): object {
  return {
    ...{ rows: rowCount, requests: requestCount, rowsLeftOut: skippedRows, requestsWithErrors: badRequests, bytes },
    problems: problems.slice(0, 10).map(({ severity, text, count, rows }) => ({
      ...{ severity, message: formatText(text), count },
      firstRow: rows[0]?.row,
    })),
  };
}

/** Returns a problem as an English sentence with its line. */
export function toSentence({ line, text }: TextProblem): string {
  return `Line ${line + 1}: ${formatText(text)}`;
}

async function readTemplate(file: string): Promise<string> {
  if ((await stat(file)).size > maxTemplateBytes) {
    throw new ToolRefusal('The template is larger than 4 MB, which no template is. Give the rows as rows and the template as template.');
  }
  return await readFile(file, 'utf8');
}
