import type * as z from 'zod';
import { base64DataSchema, documentTypeSchema, imageTypeSchema } from '../../contract/messageParamsContent';
import { lengthOfDataPrefix, typeOfBase64 } from './base64Type';
import { asString, type Finding, fieldOf, found, type Path, type Subject } from './finding';
import { walkSchema } from './knownFields';
import { schemaOf } from './schemaRules';

/** Finds `picture-type`: base64 data that contradicts its `media_type`, or that starts like a `data:` URL. */
export function findPictures(subject: Subject): readonly Finding[] {
  const findings: Finding[] = [];
  walkSchema(schemaOf(subject), subject.value, [], (schema, value, path) => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    if (def.type === 'object' && def.shape.data === base64DataSchema) {
      findings.push(...judgeSource(fieldOf(value, 'data'), fieldOf(value, 'media_type'), path));
    }
  });
  return findings;
}

function* judgeSource(data: unknown, said: unknown, path: Path): Iterable<Finding> {
  const text = asString(data);
  if (text === undefined) {
    return;
  }
  const prefix = lengthOfDataPrefix(text);
  if (prefix > 0) {
    yield found('picture-type', [...path, 'data'], 'Expected plain base64 in "data", without a "data:" prefix.');
  }
  const type = typeOfBase64(text.slice(prefix, prefix + 32));
  if (type === undefined || type === said || !isListed(said)) {
    return;
  }
  const isSameBlock = (type === 'application/pdf') === (said === 'application/pdf');
  yield isSameBlock
    ? found('picture-type', [...path, 'media_type'], 'Expected "{0}" for "media_type", the type of the data.', [type], {
        hint: { suggestion: type },
      })
    : found('picture-type', [...path, 'media_type'], 'Expected data of type "{0}", but it is "{1}".', [said, type]);
}

/** Returns whether a source may have this type. Other types are reported as `value-not-allowed`. */
function isListed(type: unknown): type is string {
  return imageTypeSchema.safeParse(type).success || documentTypeSchema.safeParse(type).success;
}
