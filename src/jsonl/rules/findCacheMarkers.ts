import { messageParamsSchema } from '../../contract/messageParams';
import { cacheControlSchema } from '../../contract/messageParamsShapes';
import { asArray, type Finding, fieldOf, found, isObject, type JsonObject, type Path, type Subject } from './finding';
import { walkSchema } from './knownFields';

const maxMarkers = 4;
const markerSchema = cacheControlSchema.unwrap().unwrap();

/** Finds `cache-markers`: more markers than services accept, or a `1h` marker after a `5m` marker. */
export function* findCacheMarkers({ params, paramsPath }: Subject): Iterable<Finding> {
  const markers = markersOf(params, paramsPath);
  let hasShort = false;
  for (const [index, { path, ttl }] of markers.entries()) {
    if (index >= maxMarkers) {
      yield found('cache-markers', path, 'A request can have at most {0} cache markers. This is number {1}.', [maxMarkers, index + 1]);
    }
    if (ttl === '1h' && hasShort) {
      yield found('cache-markers', [...path, 'ttl'], 'Cache markers for "1h" must come before those for "5m".');
    }
    hasShort ||= ttl !== '1h';
  }
}

interface Marker {
  readonly path: Path;
  readonly ttl: unknown;
}

/** Returns the markers in the order of the prompt: tools, system, messages. A marker of the whole request applies to the last block. */
function markersOf(params: JsonObject, paramsPath: Path): readonly Marker[] {
  const markers: Marker[] = [];
  for (const field of ['tools', 'system', 'messages'] as const) {
    walkSchema(messageParamsSchema.shape[field], fieldOf(params, field), [...paramsPath, field], (schema, value, path) => {
      if (schema === markerSchema && path.at(-1) === 'cache_control' && isObject(value)) {
        markers.push({ path, ttl: value.ttl });
      }
    });
  }
  const whole = fieldOf(params, 'cache_control');
  const lastBlock = asArray(fieldOf(asArray(params.messages).at(-1), 'content')).at(-1);
  if (isObject(whole) && !isObject(fieldOf(lastBlock, 'cache_control'))) {
    markers.push({ path: [...paramsPath, 'cache_control'], ttl: whole.ttl });
  }
  return markers;
}
