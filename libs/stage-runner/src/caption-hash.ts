import { createHash } from 'node:crypto';

/** Instagram trims captions, so white space at both ends does not count. */
export const captionHash = (caption: string): string => createHash('sha256').update(caption.trim()).digest('hex');
