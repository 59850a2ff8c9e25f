/**
 * The title of a post as one line of plain text: without control characters, and without the marks that turn the direction of whatever is
 * written after them. Letters of any script keep the direction that is their own.
 */
export const plainTitle = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
