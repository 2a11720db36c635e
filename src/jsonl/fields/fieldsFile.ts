import { existsSync } from 'node:fs';
import { forEachTextLine } from '../files/lineFile';
import { decodeText, isJson, membersOf } from '../scanning/jsonMembers';

const maxNames = 300;

/** Extra fields of requests by `custom_id`, from the file next to the request file. The last line with a field wins. */
export class RequestFields {
  private readonly byId = new Map<string, ReadonlyMap<string, string>>();
  private readonly known = new Set<string>();

  /** Reads a file. A missing file has no fields. Malformed lines are skipped. Blocks the thread, so only for workers. */
  static read(path: string | undefined, throwIfAborted: () => void): RequestFields {
    const fields = new RequestFields();
    if (path !== undefined && existsSync(path)) {
      forEachTextLine(path, line => fields.add(line), throwIfAborted);
    }
    return fields;
  }

  /** Names of the fields in order of appearance, at most 300. */
  get names(): readonly string[] {
    return [...this.known];
  }

  get size(): number {
    return this.byId.size;
  }

  /** Returns the fields of a request, each as JSON, or `undefined` if the request has no fields. */
  of(customId: string): ReadonlyMap<string, string> | undefined {
    return this.byId.get(customId);
  }

  private add(line: string): void {
    const text = line.trim();
    const members = text.startsWith('{') && isJson(text) ? membersOf(text) : new Map<string, string>();
    const id = members.get('custom_id');
    members.delete('custom_id');
    if (id?.startsWith('"') === true) {
      const key = decodeText(id);
      this.byId.set(key, new Map([...(this.byId.get(key) ?? []), ...members]));
      for (const name of members.keys()) {
        if (this.known.size < maxNames) {
          this.known.add(name);
        }
      }
    }
  }
}

/** Returns a field as text: a string without its quotes, anything else as JSON. */
export function fieldText(json: string | undefined): string {
  return json === undefined ? '' : json.startsWith('"') ? decodeText(json) : json;
}
