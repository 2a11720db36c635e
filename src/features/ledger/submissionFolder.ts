import path from 'node:path';

/** What the folder of a submission is called: its id. */
export const folderName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folder of one submission under the folder of all. Throws for what is no id. */
export function folderOf(root: string, id: string): string {
  if (!folderName.test(id)) {
    throw new Error(`Not the id of a submission: ${id}`);
  }
  return path.join(root, id);
}
