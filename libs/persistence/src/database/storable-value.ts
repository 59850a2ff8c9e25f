import { storableText } from '@autoposter/domain';

/** Escapes one by one, so that an escaped backslash before `u0000` is not taken for the beginning of one; a pair of surrogates is one. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])/g;
const NUL = String.raw`\u0000`;
const HALF = /^\\ud[89a-f]/i;

/**
 * A parameter of a statement as PostgreSQL stores it. `text` takes no U+0000, and `jsonb` neither its escape nor that of half a surrogate pair: a
 * whole transaction fails of one such character. Each connection passes all parameters through here, so no caller has to know.
 */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableJson(storableText(value));
  if (Array.isArray(value)) return value.map(storableValue);
  // what the driver writes as JSON
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
    return escape.length === 6 && HALF.test(escape) ? String.raw`\ufffd` : escape;
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
