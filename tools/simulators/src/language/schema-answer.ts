import { hashNumber, stablePick } from '../server/stable-random';
import type { Subject } from './subject';

export type Schema = Record<string, unknown>;

/** A value that satisfies a JSON or OpenAPI schema; field names determine the generated texts. */
export function schemaAnswer(schema: Schema, subject: Subject): unknown {
  return value(resolve(schema, schema), { root: schema, subject, path: '' });
}

interface Context {
  root: Schema;
  subject: Subject;
  /** Field names and array indexes from the root, joined by dots. */
  path: string;
}

function value(schema: Schema, context: Context): unknown {
  const options = (schema.anyOf ?? schema.oneOf ?? []) as Schema[];
  if (options.length > 0)
    return value(resolve(options.find((option) => option.type !== 'null') ?? options[0] ?? {}, context.root), context);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return stablePick(context.subject.seed + context.path, schema.enum);
  switch (typeOf(schema)) {
    case 'object':
      return object(schema, context);
    case 'array':
      return array(schema, context);
    case 'number':
    case 'integer':
      return number(schema, context);
    case 'boolean':
      return hashNumber(`${context.subject.seed} ${context.path}`) % 3 !== 0;
    case 'null':
      return null;
    default:
      return words(schema, context);
  }
}

/** OpenAPI types are upper case; JSON Schema allows a list of types. */
function typeOf(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.find((entry) => entry !== 'null') : schema.type;
  if (typeof type === 'string') return type.toLowerCase();
  return 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string';
}

function object(schema: Schema, context: Context): unknown {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const field = (name: string, inner: Schema): [string, unknown] => [
    name,
    value(resolve(inner, context.root), { ...context, path: `${context.path}.${name}` }),
  ];
  const free = schema.additionalProperties;
  const isMap = properties.length === 0 && typeof free === 'object' && free !== null;
  return Object.fromEntries(
    isMap ? THEMES.slice(0, 3).map((name) => field(name, free as Schema)) : properties.map(([name, inner]) => field(name, inner)),
  );
}

function array(schema: Schema, context: Context): unknown[] {
  const least = Number(schema.minItems ?? 0);
  const most = Number(schema.maxItems ?? 20);
  const inGroup = positions(context.path).length > 0;
  const wanted = /hashtag|tags/i.test(lastName(context.path)) && !inGroup ? 8 : 3;
  const count = Math.max(least, Math.min(most, wanted));
  const inner = resolve((schema.items ?? { type: 'string' }) as Schema, context.root);
  return Array.from({ length: count }, (_unused, index) => value(inner, { ...context, path: `${context.path}.${index}` }));
}

function number(schema: Schema, { subject, path }: Context): number {
  const share = (hashNumber(`${subject.seed} ${path}`) % 1000) / 1000;
  const unit = /confidence|probability|score/i.test(path);
  const low = Number(schema.minimum ?? (unit ? 0.6 : 0));
  const high = Number(schema.maximum ?? (unit ? 0.98 : 10));
  const drawn = low + (high - low) * (unit && schema.minimum !== undefined ? 0.6 + 0.35 * share : share);
  return typeOf(schema) === 'integer' ? Math.floor(drawn) : Math.round(drawn * 100) / 100;
}

function words(schema: Schema, { subject, path }: Context): string {
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

/** Tags of nested lists differ between the groups; a flat list starts with words of the title. */
function tagFor(subject: Subject, path: string): string {
  const own = subject.title.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const pool = [...new Set([...own.slice(0, 3), ...TAGS])];
  const [first = 0, second] = positions(path);
  const index = second === undefined ? first : first * 3 + second;
  const turn = index > 2 && second === undefined ? hashNumber(subject.seed) % (pool.length - 8) : 0;
  return pool[(index + turn) % pool.length] ?? 'reels';
}

/** Array indexes of a path, outermost first. */
function positions(path: string): number[] {
  return (path.match(/(?<=\.)\d+(?=\.|$)/g) ?? []).map(Number);
}

function pick(subject: Subject, salt: string, from: readonly string[]): string {
  return stablePick(`${subject.seed} ${salt}`, from);
}

/** The innermost field name, without array indexes. */
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

/** The answer to a request without a schema. */
export function proseAnswer(subject: Subject): string {
  const tags = [0, 1, 2, 3, 4].map((index) => `#${tagFor(subject, `.${index}`)}`).join(' ');
  return `${pick(subject, 'open', OPENINGS)} ${subject.title}. ${pick(subject, 'end', ENDINGS)}\n\n${tags}`;
}

/** The answer to a JSON request without a schema: typical caption fields. */
export function looseJsonAnswer(subject: Subject): unknown {
  const string = { type: 'string' };
  const properties = { caption: string, hashtags: { type: 'array', items: string }, tone: string };
  return schemaAnswer({ type: 'object', properties }, subject);
}

/** Phrases of the generated answers. */
const OPENINGS = [
  'Watch this one twice.',
  'A small moment, kept.',
  'Sound on for this.',
  'This is your sign to slow down.',
  'Proof that patience pays.',
  'Save this for later.',
] as const;
const ENDINGS = [
  'Which second is your favourite?',
  'Tell us what you would call it.',
  'Tag somebody who needs this today.',
  'Would you have waited for it?',
  'Follow along for more like this.',
] as const;
const TONES = ['engaging', 'playful', 'calm', 'curious', 'warm'] as const;
const MOODS = ['calm and content', 'quietly excited', 'warm and tender', 'curious', 'awed'] as const;
const THEMES = ['everyday craft', 'landscape', 'animals', 'light and colour', 'slow motion'] as const;
const TAGS = 'satisfying oddlysatisfying reels slowliving dailyjoy colours nature handmade cuteanimals goldenhour relax patterns'.split(
  ' ',
);
const LENGTHS = ['short', 'medium', 'long'] as const;
