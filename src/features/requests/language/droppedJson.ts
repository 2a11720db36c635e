import { isJson } from '../../../jsonl/scanning/jsonMembers';

/**
 * Returns the form of a text that can be inserted into a line of JSON: escaped within a string, otherwise quoted if the line stays JSON.
 * Returns `undefined` if neither is possible.
 */
export function droppedJson(line: string, character: number, text: string): string | undefined {
  const place = placeIn(line, character);
  if (place === 'escape' || line.trim() === '') {
    return undefined;
  }
  const quoted = JSON.stringify(text);
  const inserted = place === 'string' ? quoted.slice(1, -1) : quoted;
  const isSound = isJson(line.slice(0, character) + inserted + line.slice(character));
  // A string of a line that is still being written takes escaped text as well.
  return isSound || (place === 'string' && !isJson(line)) ? inserted : undefined;
}

function placeIn(line: string, character: number): 'string' | 'escape' | 'between' {
  let isString = false;
  for (let at = 0; at < character; at++) {
    if (line[at] === '"') {
      isString = !isString;
    } else if (isString && line[at] === '\\') {
      at += line[at + 1] === 'u' ? 5 : 1;
      if (at >= character) {
        return 'escape';
      }
    }
  }
  return isString ? 'string' : 'between';
}
