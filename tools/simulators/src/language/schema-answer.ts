import { hashNumber, stablePick } from '../server/stable-random';
import type { Subject } from './subject';

export type Schema = Record<string, unknown>;

/** A value that satisfies a JSON or OpenAPI schema; names of fields decide about the words in it. */
export function schemaAnswer(schema: Schema, subject: Subject): unknown {
  return value(resolve(schema, schema), { root: schema, subject, path: '' });
}

interface Place {
  root: Schema;
  subject: Subject;
  /** Names and positions down to here. */
  path: string;
}

function value(schema: Schema, place: Place): unknown {
  const options = listOf(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) return value(resolve(options.find((option) => option.type !== 'null') ?? options[0] ?? {}, place.root), place);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return stablePick(place.subject.seed + place.path, schema.enum);
  switch (typeOf(schema)) {
    case 'object':
      return object(schema, place);
    case 'array':
      return array(schema, place);
    case 'number':
    case 'integer':
      return number(schema, place);
    case 'boolean':
      return hashNumber(`${place.subject.seed} ${place.path}`) % 3 !== 0;
    case 'null':
      return null;
    default:
      return words(schema, place);
  }
}

/** OpenAPI writes types in capitals, JSON Schema may give several. */
function typeOf(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((entry) => entry !== 'null') : schema.type;
  if (typeof type === 'string') return type.toLowerCase();
  return 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string';
}

function object(schema: Schema, place: Place): unknown {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const entries = properties.map(([name, inner]) => [name, value(resolve(inner, place.root), { ...place, path: `${place.path}.${name}` })]);
  const free = schema.additionalProperties;
  if (properties.length === 0 && typeof free === 'object' && free !== null) {
    entries.push(
      ...THEMES.slice(0, 3).map((name) => [name, value(resolve(free as Schema, place.root), { ...place, path: `${place.path}.${name}` })]),
    );
  }
  return Object.fromEntries(entries) as unknown;
}

function array(schema: Schema, place: Place): unknown[] {
  const least = Number(schema.minItems ?? 0);
  const most = Number(schema.maxItems ?? 20);
  const inGroup = positions(place.path).length > 0;
  const wanted = /hashtag|tags/i.test(lastName(place.path)) && !inGroup ? 8 : 3;
  const count = Math.max(least, Math.min(most, wanted));
  const inner = resolve((schema.items ?? { type: 'string' }) as Schema, place.root);
  return Array.from({ length: count }, (_unused, index) => value(inner, { ...place, path: `${place.path}.${index}` }));
}

function number(schema: Schema, { subject, path }: Place): number {
  const share = (hashNumber(`${subject.seed} ${path}`) % 1000) / 1000;
  const unit = /confidence|probability|score/i.test(path);
  const low = Number(schema.minimum ?? (unit ? 0.6 : 0));
  const high = Number(schema.maximum ?? (unit ? 0.98 : 10));
  const drawn = low + (high - low) * (unit && schema.minimum !== undefined ? 0.6 + 0.35 * share : share);
  return typeOf(schema) === 'integer' ? Math.floor(drawn) : Math.round(drawn * 100) / 100;
}

function words(schema: Schema, { subject, path }: Place): string {
  const text = wordsFor(path, subject);
  const most = Number(schema.maxLength ?? 4_000);
  const least = Number(schema.minLength ?? 0);
  return text.padEnd(least, '.').slice(0, most);
}

const WORDS: readonly (readonly [RegExp, (subject: Subject, path: string) => string])[] = [
  [/(hashtags?|tags?|items|list)$/i, (subject, path) => `#${tagFor(subject, path)}`],
  [/length$/i, (_subject, path) => LENGTHS[Number(/\.(\d+)\./.exec(path)?.[1] ?? 1) % LENGTHS.length] ?? 'medium'],
  [/direction$/i, (subject) => `Lead with the moment, then ask a question: ${pick(subject, 'direction', ENDINGS)}`],
  [/tone$/i, (subject, path) => (/emotion/i.test(path) ? pick(subject, path, MOODS) : pick(subject, path, TONES))],
  [/sentiment$/i, (subject) => pick(subject, 'sentiment', ['positive', 'positive', 'neutral'])],
  [/theme|categor|^name$/i, (subject, path) => THEMES[(hashNumber(subject.seed) + (positions(path)[0] ?? 0)) % THEMES.length] ?? ''],
  [/variation$/i, (_subject, path) => `Variation ${Number(/\.(\d+)\./.exec(path)?.[1] ?? 0) + 1}`],
  [/optimi[sz]ation$/i, () => 'Works upright and without sound; the first second already shows the subject.'],
  [
    /visual|content|scene|describe|description|analysis/i,
    (subject) => `The frames show what the title promises: ${subject.title}. The subject fills the middle, the colours stay steady.`,
  ],
  [
    /caption|text/i,
    (subject, path) => `${pick(subject, `${path} open`, OPENINGS)} ${subject.title}. ${pick(subject, `${path} end`, ENDINGS)}`,
  ],
];

function wordsFor(path: string, subject: Subject): string {
  const name = lastName(path);
  const found = WORDS.find(([pattern]) => pattern.test(name));
  return found ? found[1](subject, path) : `${subject.title} (${name || 'answer'})`;
}

/** Tags of a group differ from those of the group before; a plain list begins with words of the title. */
function tagFor(subject: Subject, path: string): string {
  const own = subject.title.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const pool = [...new Set([...own.slice(0, 3), ...TAGS])];
  const [first = 0, second] = positions(path);
  const index = second === undefined ? first : first * 3 + second;
  const turn = index > 2 && second === undefined ? hashNumber(subject.seed) % (pool.length - 8) : 0;
  return pool[(index + turn) % pool.length] ?? 'reels';
}

/** The places in lists along a path, outermost first. */
function positions(path: string): number[] {
  return (path.match(/(?<=\.)\d+(?=\.|$)/g) ?? []).map(Number);
}

function pick(subject: Subject, salt: string, from: readonly string[]): string {
  return stablePick(`${subject.seed} ${salt}`, from);
}

/** The name of the field, not the position in a list. */
function lastName(path: string): string {
  return (
    path
      .split('.')
      .filter((part) => !/^\d*$/.test(part))
      .at(-1) ?? ''
  );
}

function resolve(schema: Schema, root: Schema): Schema {
  const reference = schema.$ref;
  if (typeof reference !== 'string') return schema;
  const target = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], root);
  return typeof target === 'object' && target !== null ? resolve(target as Schema, root) : {};
}

function listOf(entries: unknown): Schema[] {
  return Array.isArray(entries) ? (entries as Schema[]) : [];
}

/** Plain prose for a request without a schema. */
export function proseAnswer(subject: Subject): string {
  const tags = [0, 1, 2, 3, 4].map((index) => `#${tagFor(subject, `.${index}`)}`).join(' ');
  return `${pick(subject, 'open', OPENINGS)} ${subject.title}. ${pick(subject, 'end', ENDINGS)}\n\n${tags}`;
}

/** JSON without a schema to hold on to: the fields that a caption usually has. */
export function looseJsonAnswer(subject: Subject): unknown {
  const strings = { type: 'array', items: { type: 'string' } };
  return schemaAnswer(
    { type: 'object', properties: { caption: { type: 'string' }, hashtags: strings, tone: { type: 'string' } } },
    subject,
  );
}

/** Building blocks of the simulated models' answers. */
export const OPENINGS = [
  'Watch this one twice.',
  'A small moment, kept.',
  'Sound on for this.',
  'This is your sign to slow down.',
  'Proof that patience pays.',
  'Save this for later.',
] as const;
export const ENDINGS = [
  'Which second is your favourite?',
  'Tell us what you would call it.',
  'Tag somebody who needs this today.',
  'Would you have waited for it?',
  'Follow along for more like this.',
] as const;
export const TONES = ['engaging', 'playful', 'calm', 'curious', 'warm'] as const;
export const MOODS = ['calm and content', 'quietly excited', 'warm and tender', 'curious', 'awed'] as const;
export const THEMES = ['everyday craft', 'landscape', 'animals', 'light and colour', 'slow motion'] as const;
export const TAGS = [
  'satisfying',
  'oddlysatisfying',
  'reels',
  'slowliving',
  'dailyjoy',
  'colours',
  'nature',
  'handmade',
  'cuteanimals',
  'goldenhour',
  'relax',
  'patterns',
] as const;
export const LENGTHS = ['short', 'medium', 'long'] as const;
