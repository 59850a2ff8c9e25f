/** U+0000 and half a surrogate pair: PostgreSQL stores neither. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** External text in the form that every database and every JSON parser accepts. */
export const storableText = (text: string): string => text.replace(UNSTORABLE, (half) => (half === '\0' ? '' : '\ufffd'));

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** The longest emoji sequence of Unicode is far shorter; a longer cluster is hostile and is cut between code points. */
const MAX_CLUSTER_LENGTH = 64;

/**
 * Cuts external text to at most `limit` UTF-16 units, the unit in which schemas count, without splitting a grapheme: an emoji with its
 * modifiers is kept whole or removed.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const from = Math.max(0, limit - MAX_CLUSTER_LENGTH);
  // may start inside a surrogate pair, which segments like any other character
  const cluster = graphemes.segment(text.slice(from, limit + MAX_CLUSTER_LENGTH)).containing(limit - from);
  const start = cluster?.index ?? 0;
  return text.slice(0, start === 0 ? codePointEnd(text, limit) : from + start);
}

/** `limit`, or one less where a pair would be split. */
const codePointEnd = (text: string, limit: number): number =>
  limit > 0 && /[\ud800-\udbff]/.test(text[limit - 1] ?? '') && /[\udc00-\udfff]/.test(text[limit] ?? '') ? limit - 1 : limit;

/** JSON escapes of U+0000 and of surrogates, which may be unpaired. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

const storable = (_key: string, value: unknown): unknown => (typeof value === 'string' ? storableText(value) : value);

/**
 * Parses JSON of an external system, without characters that cannot be stored. `undefined` for anything but an object or list: HTML of a
 * front end, an empty or cut body, a bare word.
 */
export function readJson(text: string): unknown {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  try {
    return JSON.parse(text, UNSTORABLE_ESCAPE.test(text) ? storable : undefined) as unknown;
  } catch {
    return undefined;
  }
}

/** The value where it is an object, else an empty one. */
export const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/**
 * The text as one plain line, without control characters, line separators and marks that change the direction of the text after them. Letters
 * of any script keep their own direction.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
