/** Scripts that show a language other than English; Chinese, Japanese and Korean texts mix some of them. */
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];
const LATIN = 0;

/** Frequent words of one language each, none of them English. */
const WORDS = [
  'und der das ist nicht ein eine ich mit für auf dem den von wir ihr auch sich noch wenn oder nach bei aus sehr mehr nur schon dann wird sind habe über kein keine diese dieser dieses du dein deine mein meine ganz beim vom zum zur heute',
  'le les des est une dans pour avec sur pas vous nous qui ce cette mais ou où plus très tout être sont du au aux ses leur elle ils',
  'el los las una por con para como más pero su sus es está este esta muy también qué cuando sin sobre hay ser lo al',
  'il gli che di è della nel per sono una non più questo questa anche come molto dei delle alla nella ma',
  'os as uma com não para mais por foi são muito também você dos das pelo pela isso este essa ao',
  'het een van niet dat zijn met voor ook maar naar deze dit er aan bij heeft wordt wij jullie geen',
].map((words) => new Set(words.split(' ')));
const ENGLISH = new Set('the and of to is in you what this that with for on are it was my your at from have has not be do how'.split(' '));

/** Characters of a text that are examined: enough to tell the language. */
const EXAMINED_CHARACTERS = 2_000;
/** Fewer frequent words may be a name or a loan. */
const ENOUGH_WORDS = 3;

/**
 * Whether a caption is neither in English nor in a language of its material: it has another script, or frequent words of a language of which the
 * material has none. `false` when unsure.
 */
export function speaksAnotherLanguage(caption: string, material: string): boolean {
  const script = mainScript(caption);
  if (script === null) return false;
  if (script !== LATIN) return !SCRIPTS[script]?.test(material);
  const words = wordsOf(caption);
  const english = countOf(words, ENGLISH);
  const known = wordsOf(material);
  const [most, count] = WORDS.map((language) => [language, countOf(words, language)] as const).reduce((one, other) =>
    other[1] > one[1] ? other : one,
  );
  return count >= ENOUGH_WORDS && count > english && countOf(known, most) === 0;
}

/** The script of most letters, `null` without letters of a known one. */
function mainScript(text: string): number | null {
  const counts = SCRIPTS.map(() => 0);
  for (const character of text.slice(0, EXAMINED_CHARACTERS)) {
    const script = SCRIPTS.findIndex((pattern) => pattern.test(character));
    if (script !== -1) counts[script] = (counts[script] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return most === 0 ? null : counts.indexOf(most);
}

const wordsOf = (text: string): string[] =>
  text
    .slice(0, EXAMINED_CHARACTERS)
    .toLowerCase()
    .match(/\p{L}{1,20}/gu) ?? [];
const countOf = (words: readonly string[], language: ReadonlySet<string>): number => words.filter((word) => language.has(word)).length;
