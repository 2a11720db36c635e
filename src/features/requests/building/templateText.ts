import type { RowsFormat, RowsSurvey } from '../../../jsonl/building/rowsReport';

/** Columns that are put into the text of the message, at most. */
const mostColumns = 20;

/**
 * A template to begin with: the id from a column whose values are ids, if there is one, and a message that names the other columns.
 */
export function toTemplateText(survey: Pick<RowsSurvey, 'columns' | 'format'>): string {
  // A name with braces cannot stand between braces.
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

/** A JSON row need not have every key. */
function toPlace(name: string, format: RowsFormat): string {
  return format.kind === 'csv' ? `{{${name}}}` : `{{${name}?}}`;
}
