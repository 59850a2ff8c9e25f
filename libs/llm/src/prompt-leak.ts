import { randomBytes } from 'node:crypto';
import { foldText } from '@autoposter/domain';

/** The prompts of a call, to recognise them in its answer. */
export interface Instructions {
  prompts: readonly string[];
  /** A random word of the prompt that no other text contains. */
  marker: string;
}

export const newMarker = (): string => `m${randomBytes(8).toString('hex')}`;

/** This many words of an instruction in a row are no coincidence. */
const WORDS_IN_A_ROW = 6;
const EXAMINED_CHARACTERS = 20_000;

/** Whether the answer contains the marker or a row of words of an instruction. The data of the post is no instruction. */
export function repeatsInstructions(answer: { caption: string; hashtags: readonly string[] }, { prompts, marker }: Instructions): boolean {
  const text = [answer.caption, ...answer.hashtags].join('\n').slice(0, EXAMINED_CHARACTERS);
  if (wordsOf(text).join('').includes(marker)) return true;
  const known = new Set(prompts.flatMap((prompt) => rowsOf(prompt.split('<post-data>{')[0] ?? '')));
  return rowsOf(text).some((row) => known.has(row));
}

const wordsOf = (text: string): string[] =>
  foldText(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function rowsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(WORDS_IN_A_ROW - 1).map((_word, index) => words.slice(index, index + WORDS_IN_A_ROW).join(' '));
}
