import { asArray, asObject, fieldOf, isObject, type JsonObject, type Path } from './finding';

/** Tool variants whose fields the contract lists. It only names all others. */
const listedTools: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'custom',
  'bash_20241022',
  'bash_20250124',
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'computer_20241022',
  'computer_20250124',
  'memory_20250818',
  'text_editor_20241022',
]);

/**
 * Returns whether the contract shows the shape of the value at `path` in `params`. If not (its sections "Gaps"), the shape is only known
 * from services, and a deviation is a warning instead of an error.
 */
export function isShownByContract([field, ...rest]: Path, params: JsonObject): boolean {
  const [first, second, third] = rest;
  switch (field) {
    case 'messages':
      return second !== 'content' || third === undefined || isBlockShown(blockAt(params, first, third), rest.slice(3));
    case 'system':
      return first === undefined || isBlockShown(asArray(params.system)[Number(first)], rest.slice(1));
    case 'thinking':
      return first === undefined || first === 'type' || first === 'budget_tokens';
    case 'tool_choice':
      return first === undefined || first === 'type';
    case 'context_management':
      return third === undefined || third === 'type';
    case 'container':
      return first !== 'skills' || third === undefined;
    case 'mcp_servers':
      return second !== 'tool_configuration';
    case 'output_config':
      return first !== 'task_budget';
    case 'fallbacks':
      if (second === 'max_tokens' && isBelowZero(fieldOf(asArray(params.fallbacks)[Number(first)], second))) {
        // Services are only certain to check it when they try the fallback.
        return false;
      }
      return typeof second !== 'string' || isShownByContract(rest.slice(1), asObject(asArray(params.fallbacks)[Number(first)]));
    case 'tools':
      return first === undefined || isToolShown(asArray(params.tools)[Number(first)], rest.slice(1));
    case 'user_profile_id':
      return false;
    default:
      return true;
  }
}

function blockAt(params: JsonObject, message: unknown, index: unknown): unknown {
  return asArray(fieldOf(asArray(params.messages)[Number(message)], 'content'))[Number(index)];
}

/** Returns whether the contract shows a field of a content block. It only shows the text block, and of its citations only the kinds. */
function isBlockShown(block: unknown, [field, , ...inner]: Path): boolean {
  if (!isObject(block) || field === undefined || field === 'type') {
    return true;
  }
  return block.type === 'text' && (field !== 'citations' || inner.length === 0);
}

function isToolShown(tool: unknown, [field, ...inner]: Path): boolean {
  if (!isObject(tool) || field === undefined || field === 'type') {
    return true;
  }
  const value = fieldOf(tool, field as string);
  if (field === 'name' && value === undefined) {
    return true;
  }
  const isCustom = tool.type === undefined || tool.type === null || tool.type === 'custom';
  const isFree =
    (field === 'description' && isCustom) ||
    // A JSON Schema can be a boolean as well as an object.
    (field === 'input_schema' && (inner.length > 0 || typeof value === 'boolean')) ||
    (field === 'allowed_callers' && inner.length > 0);
  return listedTools.has(tool.type) && !isFree;
}

function isBelowZero(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value < 0;
}
