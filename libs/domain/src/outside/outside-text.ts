/** U+0000 and half a surrogate pair: neither is text, and PostgreSQL keeps neither. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Outside text in the form that every database and every JSON reader accepts. */
export const storableText = (text: string): string => text.replace(UNSTORABLE, (half) => (half === '\0' ? '' : '\ufffd'));

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** The longest emoji sequence of Unicode is far shorter; a longer cluster is hostile and is cut between code points. */
const LONGEST_CLUSTER = 64;

/**
 * Cuts outside text to at most `limit` UTF-16 units, the unit in which schemas count, without splitting a character that a reader sees as one:
 * an emoji with its modifiers stays whole or goes.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const from = Math.max(0, limit - LONGEST_CLUSTER);
  // starts inside a pair at worst, which segments like any other character
  const cluster = graphemes.segment(text.slice(from, limit + LONGEST_CLUSTER)).containing(limit - from);
  const start = cluster?.index ?? 0;
  return text.slice(0, start === 0 ? codePointEnd(text, limit) : from + start);
}

/** `limit`, or one less where a pair would be split. */
const codePointEnd = (text: string, limit: number): number =>
  limit > 0 && /[\ud800-\udbff]/.test(text[limit - 1] ?? '') && /[\udc00-\udfff]/.test(text[limit] ?? '') ? limit - 1 : limit;
