import { storableText } from '@autoposter/domain';

/** Matches one escape at a time, so that an escaped backslash before `u0000` does not look like the start of one; a surrogate pair is one match. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])/g;
const NUL = String.raw`\u0000`;
const LONE_SURROGATE = /^\\ud[89a-f]/i;

/**
 * A statement parameter without the characters that PostgreSQL refuses: U+0000 in `text`, its escape or that of a lone surrogate in `jsonb`. One
 * of them makes a whole transaction fail, so every connection passes all parameters through this function.
 */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableJson(storableText(value));
  if (Array.isArray(value)) return value.map(storableValue);
  // the driver sends a plain object as JSON
  if (isPlain(value)) return storableValue(JSON.stringify(value));
  return value;
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

function storableJson(text: string): string {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[' && first !== '"') || !/\\u(?:0000|d[89a-f])/i.test(text) || !isJson(text)) return text;
  return text.replace(ESCAPES, (escape) => {
    if (escape === NUL) return '';
    return escape.length === 6 && LONE_SURROGATE.test(escape) ? String.raw`\ufffd` : escape;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
