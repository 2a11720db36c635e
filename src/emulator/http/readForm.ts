import { invalidRequest } from './apiError';

/** One part of a multipart form. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly mediaType: string | undefined;
  readonly content: Buffer;
}

/** Parses a whole `multipart/form-data` body. Throws a 400 if it is invalid. */
export function readForm(contentType: string | undefined, body: Buffer): FormPart[] {
  const isForm = /^multipart\/form-data\b/i.test(contentType ?? '');
  const boundary = isForm ? /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType ?? '') : null;
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) {
    throw invalidRequest('Content-Type must be multipart/form-data with a boundary');
  }
  const parts: FormPart[] = [];
  const opening = Buffer.from(`--${mark}`);
  const between = Buffer.from(`\r\n--${mark}`);
  let at = body.indexOf(opening);
  if (at < 0) {
    throw invalidRequest('Invalid multipart body');
  }
  at += opening.length;
  while (body.subarray(at, at + 2).toString('latin1') === '\r\n') {
    const headEnd = body.indexOf('\r\n\r\n', at);
    const end = headEnd < 0 ? -1 : body.indexOf(between, headEnd + 2);
    if (end < 0) {
      throw invalidRequest('Invalid multipart body');
    }
    parts.push(toPart(body.subarray(at + 2, headEnd).toString('utf8'), body.subarray(headEnd + 4, end)));
    at = end + between.length;
  }
  if (body.subarray(at, at + 2).toString('latin1') !== '--') {
    throw invalidRequest('Invalid multipart body');
  }
  return parts;
}

function toPart(head: string, content: Buffer): FormPart {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const parameter = (name: string) => new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  const mediaType = /^content-type:(.*)$/im.exec(head)?.[1]?.trim();
  return { name: parameter('name') ?? '', filename: parameter('filename'), mediaType, content };
}
