import * as z from 'zod';

const id = z.string().min(1).max(256);

/** Input fields that several tools share. */
export const fileField = z.string().min(1).max(2_000).describe('Path of a file of the workspace, absolute or relative to its folder.');
export const batchField = id.describe('Id of a batch, as list_batches tells it.');
export const sessionField = id.describe('Id of a session, as list_sessions tells it.');
export const connectionField = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Name of a connection; without it, the one this window uses.');
export const cursorField = z.string().max(2_000).optional().describe('The "next" of the answer before, to go on from there.');

/** Creates the field for the number of items. */
export function limitField(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual);
}

/** Creates the field for the maximum length of the result. */
export function maxCharsField(most: number) {
  return z.int().min(1_000).max(most).default(8_000).describe('Most characters of the answer.');
}
