import { storableText } from './outside-text';

/** Escapes of U+0000 and of surrogates, which may be halves. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

const storable = (_key: string, value: unknown): unknown => (typeof value === 'string' ? storableText(value) : value);

/**
 * Reads what an outside system sent as JSON, without what cannot be stored. `undefined` for everything that is no object or list: HTML of a
 * front end, an empty or cut body, a bare word.
 */
export function readJson(text: string): unknown {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  try {
    return JSON.parse(text, UNSTORABLE.test(text) ? storable : undefined) as unknown;
  } catch {
    return undefined;
  }
}

/** The value as an object to look into; an empty one for everything else. */
export const objectIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
