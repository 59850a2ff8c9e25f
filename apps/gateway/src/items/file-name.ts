import type { ItemRow, MediaRow } from './item-rows';

/** Longest part that comes from the source, in characters. */
const LONGEST_PART = 40;

/**
 * The name under which people see a file: where it comes from, which post, which file of several, and what it is (`aww-1abcde-2.jpg`).
 * Only letters, digits, `-` and `_`: nothing of a title, nothing that a file system could read as a path.
 */
export function fileNameOf(row: ItemRow, file: MediaRow): string {
  const several = (row.media ?? []).some((other) => other.role === file.role && other.position > 0);
  const parts = [row.subreddit ?? row.author ?? row.platform, row.source_id, ...(several ? [String(file.position + 1)] : [])];
  const extension = /\.([a-z0-9]{1,5})$/u.exec(file.file_name)?.[1] ?? 'bin';
  return `${parts.map(plain).filter(Boolean).join('-')}.${extension}`;
}

const plain = (part: string): string =>
  part
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST_PART);
