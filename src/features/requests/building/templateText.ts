import type { RowsFormat, RowsSurvey } from '../../../jsonl/building/rowsReport';

/** Maximum number of columns in the text of the message. */
const mostColumns = 20;

/** Returns the text of a new template: the id from a column of ids, if there is one, and a message with the other columns. */
export function toTemplateText(survey: Pick<RowsSurvey, 'columns' | 'format'>): string {
  // A name with braces can't be a placeholder.
  const columns = survey.columns.filter(({ name }) => !/\{\{|\}\}/.test(name));
  const id =
    columns.find(({ name, isId }) => isId && /^(?:custom_?)?id$|_id$|\bid\b|key|uuid|slug|number|nr/i.test(name)) ??
    columns.find(({ isId }) => isId);
  const others = columns.filter(column => column !== id || columns.length === 1).slice(0, mostColumns);
  const [only] = others;
  const content =
    others.length === 1 && only !== undefined
      ? toPlace(only.name, survey.format)
      : others.map(({ name }) => `${name}: ${toPlace(name, survey.format)}`).join('\n');
  const request = {
    custom_id: id === undefined ? 'row-{{row}}' : `{{${id.name}}}`,
    params: {
      model: 'vendor-sonnet-5',
      max_tokens: 1024,
      messages: [{ role: 'user', content: content === '' ? 'Row {{row}}' : content }],
    },
  };
  return `${JSON.stringify(request, null, 2)}\n`;
}

/** Returns the placeholder of a column. Keys of JSON rows are optional. */
function toPlace(name: string, format: RowsFormat): string {
  return format.kind === 'csv' ? `{{${name}}}` : `{{${name}?}}`;
}
