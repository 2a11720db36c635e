import { withoutEnd } from '../../shared/trim';

/** Characters of a key that are a part worth hiding; fewer say nothing of it. */
const partLength = 8;
/** Keys shorter than this are no secrets, and words of any text. */
const shortestKey = 4;

/** One way to write a key, and how much of it is hidden wherever it stands. */
interface Form {
  readonly text: string;
  readonly part: number;
}

/**
 * A text with `[key]`, or what is to stand there, in place of a key and of any part of it of eight characters: as it is, percent-encoded,
 * in hex and in Base64.
 */
export function concealed(text: string, key: string | undefined, instead = '[key]'): string {
  if (key === undefined || key.length < shortestKey || text.length < shortestKey) {
    return text;
  }
  const isHidden = new Uint8Array(text.length);
  let isAny = false;
  for (const form of toForms(key)) {
    isAny = mark(text, form, isHidden) || isAny;
  }
  return isAny ? withoutHidden(text, isHidden, instead) : text;
}

function toForms(key: string): readonly Form[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString('hex');
  const texts = new Map<string, number>([
    [key, partLength],
    [encodeURIComponent(key), partLength],
    [hex, 2 * partLength],
    [hex.toUpperCase(), 2 * partLength],
  ]);
  for (const skipped of [0, 1, 2]) {
    const base64 = withinBase64(bytes, skipped);
    texts
      .set(base64, Math.ceil((4 * partLength) / 3))
      .set(base64.replaceAll('+', '-').replaceAll('/', '_'), Math.ceil((4 * partLength) / 3));
  }
  return [...texts].filter(([text]) => text.length >= shortestKey).map(([text, part]) => ({ text, part: Math.min(part, text.length) }));
}

/** What is certain of the Base64 of bytes that stand behind `skipped` others, whatever stands around them. */
function withinBase64(bytes: Buffer, skipped: number): string {
  const whole = Buffer.concat([Buffer.alloc(skipped), bytes]);
  const text = withoutEnd(whole.toString('base64'), '=');
  return text.slice(skipped === 0 ? 0 : skipped + 1, whole.length % 3 === 0 ? text.length : -1);
}

/** Marks every place of a text that is within a part of the form. */
function mark(text: string, { text: form, part }: Form, isHidden: Uint8Array): boolean {
  const parts = new Set<string>();
  for (let at = 0; at + part <= form.length; at++) {
    parts.add(form.slice(at, at + part));
  }
  let isAny = false;
  for (let at = 0; at + part <= text.length; at++) {
    if (parts.has(text.slice(at, at + part))) {
      isHidden.fill(1, at, at + part);
      isAny = true;
    }
  }
  return isAny;
}

function withoutHidden(text: string, isHidden: Uint8Array, instead: string): string {
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const next = isHidden.indexOf(isHidden[at] === 1 ? 0 : 1, at);
    const end = next < 0 ? text.length : next;
    shown += isHidden[at] === 1 ? instead : text.slice(at, end);
    at = end;
  }
  return shown;
}
