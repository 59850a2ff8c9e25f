import type { SkippedPost } from '@autoposter/contracts';
import { SKIPPED_TEXT } from '../../text/skipped-posts.text';

/** The server's words, else hours with one decimal, else N/A. */
export const postAge = ({ postAgeFormatted, postAgeHours }: Pick<SkippedPost, 'postAgeFormatted' | 'postAgeHours'>): string => {
  if (postAgeFormatted !== null && postAgeFormatted !== '') return postAgeFormatted;
  return postAgeHours === null ? SKIPPED_TEXT.notAvailable : `${postAgeHours.toFixed(1)}h`;
};
