/**
 * Patterns on untrusted text, of the source or of a model. Each takes time linear in the length of the text: repetitions are bounded, and
 * an unbounded run is only entered at its first character.
 */

/** Scripts whose spelling needs joiners between letters. */
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** Invisible characters that a text needs: those of emoji sequences, variants of Han and Mongolian characters, joiners of scripts. */
const NEEDED = [
  '(?<=(?:\\p{Extended_Pictographic}\\ufe0f?|[\\u{1f3fb}-\\u{1f3ff}]))\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // England, Scotland and Wales: the only flags that are written with tag characters
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  // visible format characters: signs of Arabic and Syriac numbers
  '[\\u0600-\\u0605\\u06dd\\u070f\\u08e2]',
].join('|');

/** Control, format, private-use and unpaired characters, fillers and selectors; line feed and tab are text. */
const INVISIBLE =
  '(?![\\t\\n])\\p{Cc}|[\\p{Cf}\\p{Co}\\p{Cs}\\u115f\\u1160\\u2028\\u2029\\u2800\\u3164\\uffa0]|\\u034f|\\u17b4|\\u17b5|[\\u180b-\\u180f]|[\\ufe00-\\ufe0f]|[\\u{e0100}-\\u{e01ef}]';

const NEEDED_OR_INVISIBLE = new RegExp(`(${NEEDED})|(?:${INVISIBLE})`, 'gu');
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** The text without the invisible characters that no script or emoji in it needs. */
export const withoutInvisible = (text: string): string =>
  text.replace(NEEDED_OR_INVISIBLE, (_match, needed: string | undefined) => needed ?? '');

/** The first invisible character that nothing needs, such as `U+200B`; `null` where the text has none. */
export function firstInvisible(text: string): string | null {
  for (const match of text.matchAll(NEEDED_OR_INVISIBLE)) {
    if (match[1] === undefined) return `U+${(match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return null;
}

/**
 * The text as a reader perceives it, for comparisons only: compatibility forms (full width, mathematical, circled) become plain letters,
 * accents and everything invisible go.
 */
export const foldText = (text: string): string =>
  text
    .replace(EVERY_INVISIBLE, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');

const WORD_START = '(?<![\\p{L}\\p{N}])';
const WORD_END = '(?![\\p{L}\\p{N}])';
const words = (alternatives: string, flags = 'iu'): RegExp => new RegExp(`${WORD_START}(?:${alternatives})${WORD_END}`, flags);

/** U+FE0E and U+FE0F ask for the text or the picture variant of a character. */
const VARIANT_SELECTORS = /[\ufe0e\ufe0f]/g;

/**
 * The caption in a form for comparisons with Instagram, which trims captions and may store another variant of an emoji. Trailing spaces of lines and
 * the Unicode form are ignored too.
 */
export function comparableCaption(caption: string): string {
  const lines = caption.normalize('NFC').replace(VARIANT_SELECTORS, '').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** Endings of domains that are not words: after a disguised dot, "punto de vista" is not an address. */
const ENDINGS = 'com|net|org|info|biz|app|dev|io|co|shop|xyz|online|website|club|vip|casino|tv|gg|ly|ru|cn|uk|cc|icu';

/** Everything that could be an address: any scheme, any two labels with a dot, IP addresses, and disguised dots before a common ending. */
const ADDRESS: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]{0,20}:\/\/|\bwww[.\d]/iu,
  /[\p{L}\p{N}][.](?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})(?![\p{L}\p{N}])/iu,
  // browsers read the ideographic full stop as a dot; between other letters it ends a sentence
  /[a-z0-9]\u3002[a-z]{2,63}(?![a-z0-9])/iu,
  new RegExp(
    `[\\p{L}\\p{N}](?:\\s{0,3}[([{<]\\s{0,2}(?:[.,\\u3002\\u00b7\\u2022]|dot|punkt|punto|point|ponto)\\s{0,2}[)\\]}>]\\s{0,3}|\\s{1,3}(?:dot|punkt|punto|ponto)\\s{1,3}|\\s{1,3}[.]\\s{0,3}|[.]\\s|[\\u00b7\\u2022\\u2219\\u22c5\\u2027\\u30fb])(?:${ENDINGS})${WORD_END}`,
    'iu',
  ),
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/u,
  /(?<![0-9a-f:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![0-9a-f])/iu,
];

/** Whether the folded text contains something that could be a domain, a URL or an IP address. */
export const mayContainAddress = (folded: string): boolean => ADDRESS.some((pattern) => pattern.test(folded));

/** How many accounts the folded text mentions. */
export const countMentions = (folded: string): number => [...folded.matchAll(/(?<![\p{L}\p{N}])@[._]{0,3}[\p{L}\p{N}]/gu)].length;

const E_MAIL = /[\p{L}\p{N}_%+-][.]?@[\p{L}\p{N}]|[\p{L}\p{N}]\s?[([{]\s?at\s?[)\]}]\s?[\p{L}\p{N}]/iu;
const MESSENGER = words('whats\\s?app|telegram|we\\s?chat|viber|snapchat|kik|onlyfans|fansly|discord|cash\\s?app|venmo|pay\\s?pal|zelle');
const PHONE = /(?<![\p{N}.,])\+?\(?\d[\d\s().\-/]{6,24}\d(?![\p{N}])/gu;
const DATE = /\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}/gu;
const GROUPED_NUMBER = /^[1-9]\d{0,2}(?:[ .]\d{3})+$/u;
const US_PHONE = /(?<!\d)\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?!\d)/u;

/** Whether the folded text contains an e-mail address, a telephone number, or the name of a messenger or payment service. */
export function mayContainContact(folded: string): boolean {
  if (E_MAIL.test(folded) || MESSENGER.test(folded)) return true;
  const undated = folded.replace(DATE, ' x ');
  if (US_PHONE.test(undated)) return true;
  return [...undated.matchAll(PHONE)].some(([found]) => {
    const digits = found.replace(/\D+/gu, '').length;
    if (GROUPED_NUMBER.test(found)) return false;
    return digits >= (/^\+|^\(?0/u.test(found) ? 8 : 9);
  });
}

const WALLET = words('bc1[a-z0-9]{11,87}|0x[a-f0-9]{40,64}|[a-z0-9_-]{1,63}\\.(?:eth|sol|crypto|nft)');
const LONG_TOKEN = /(?<![a-z0-9])[a-z0-9]{26,120}/giu;

/** Whether the folded text contains what could be a wallet address or a key: a long run of letters and digits. */
export const mayContainWallet = (folded: string): boolean =>
  WALLET.test(folded) || [...folded.matchAll(LONG_TOKEN)].some(([token]) => /\d/u.test(token) && /[a-z]/iu.test(token));

const PROMOTION: readonly RegExp[] = [
  words(
    '(?:promo(?:tion(?:al)?)?|discount|coupon|voucher|referral|invite|gift|bonus|rabatt|gutschein|aktions)[\\s-]{0,3}codes?|codes?\\s(?:promo|promotionnel|de\\sreduction)|codigo\\s(?:promocional|de\\sdescuento|de\\sdesconto)|codice\\s(?:sconto|promo)',
  ),
  words('(?:use|with|enter|apply)\\s(?:(?:the|my|our|this)\\s)?code'),
  words('code[\\s:="\u201c\u201d\']{1,4}[A-Z][A-Z0-9]{3,20}', 'u'),
  /\d{1,3}\s?%\s?(?:off|rabatt|discount|de\sdescuento|de\sreduction)(?![\p{L}])/iu,
  words('link\\sin\\s(?:(?:the|my|our)\\s)?(?:bio|profile|description|comments?)'),
  words('(?:dm|message|text|whatsapp)\\s(?:me|us)(?:\\s(?:for|to|now))?'),
  words('give\\s?aways?|air\\s?drops?|sweepstakes?|buy\\snow|order\\snow|shop\\snow|limited\\soffer|click\\shere|sign\\sup\\snow'),
  words(
    'free\\s(?:[\\p{L}\\p{N}]{1,20}\\s)?(?:i\\s?phones?|i\\s?pads?|money|cash|crypto|bitcoins?|gift\\s?cards?|followers|likes|v-?bucks|robux|nitro|spins?|trial)',
  ),
  words('(?:online\\s)?casinos?|sports?\\s?betting|forex|crypto\\s(?:investment|signals?|trading)|double\\syour\\s(?:money|bitcoins?)'),
];

/** Whether the folded text advertises: codes, offers, gambling, requests for private messages. */
export const mayPromote = (folded: string): boolean => PROMOTION.some((pattern) => pattern.test(folded));

/** Death, violence, abuse and sex, by word. A word list does not understand a text, so it prefers false positives. */
const SENSITIVE_WORDS = [
  'obituar(?:y|ies)|rest in (?:peace|power)|passed away|in loving memory|in memoriam|funerals?|memorial service|condolences|mourn(?:s|ed|ing|ers)?|grief|grieving|died|dying|deaths?|dead (?:body|bodies)|deceased|corpses?|shot dead|killed|killings?|murder(?:s|ed|er|ers|ous)?|homicides?|manslaughter|suicid(?:e|es|al)|self[ -]harm(?:ed|ing)?|overdos(?:e|es|ed)|stillborn|stillbirth|miscarriages?|abortions?|cancer|terminal illness|terminally ill|mass shooting|school shooting|(?:active )?shooters?|massacres?|genocides?|terror(?:ist|ists|ism)|hostages?|bombings?|war crimes?|rape[ds]?|rapists?|molest(?:s|ed|er|ers|ation)?|sexual(?:ly)? (?:assault|abuse)(?:d|s)?|child abuse|p(?:a?e)dophil(?:e|es|ia)|domestic violence|lynch(?:ed|ing)|holocaust|nazis?|tortur(?:e|ed|ing)|behead(?:ed|ing)|fatal(?:ly|ity|ities)?|tragedy|tragic|nudes?|naked|nsfw|porn(?:o|ography)?',
  'nachruf|verstorben(?:e|er|en)?|gestorben|trauer(?:feier|n|t)?|beerdigung|ruhe in frieden|selbstmord|suizid|ermordet|getotet|vergewaltig(?:t|ung)|todesfall|tod|ist tot|beileid|leiche|nackt',
  'fallecio|fallecimiento|fallecid[oa]s?|murio|muertes?|muert[oa]s?|descanse en paz|suicidio|asesinat[oa]s?|asesinad[oa]s?|violacion|luto|condolencias|desnud[oa]s?',
  'deces|decedee?s?|mort|morts|mortes?|obseques|repose en paix|meurtres?|assassin(?:at|e|ato|ado|ada)?|viol|deuil',
  'faleceu|falecimento|morreu|estupro|morto|morta|deceduto|deceduta|funerale|lutto|omicidio|riposa in pace|stupro',
  'overleden|begrafenis|zelfmoord|zmarł[a]?|pogrzeb|samobojstwo',
  'умер|умерла|скончал(?:ся|ась)|смерть|смерти|похороны|самоубийство|убит|убита|убийство|соболезнования',
  'توفي|وفاة|جنازة|انتحار|مقتل|निधन|मृत्यु|आत्महत्या',
].join('|');
const SENSITIVE = words(foldText(SENSITIVE_WORDS));
const SENSITIVE_ABBREVIATION = words('R\\.?I\\.?P\\.?|D\\.E\\.P\\.?|Q\\.?E\\.?P\\.?D\\.?', 'u');
/** Languages that are written without spaces. */
const SENSITIVE_UNSPACED = new RegExp(
  foldText(
    '訃報|死去|逝去|亡くな|葬儀|自殺|殺人|殺害|追悼|冥福|讣告|訃告|去世|逝世|葬礼|葬禮|自杀|谋杀|謀殺|悼念|遇难|遇難|부고|사망|별세|자살|장례|추모',
  ),
  'u',
);

/** Whether the folded text is about death, violence, abuse or sex. */
export const isSensitive = (folded: string): boolean =>
  SENSITIVE.test(folded) || SENSITIVE_ABBREVIATION.test(folded) || SENSITIVE_UNSPACED.test(folded);

const PLACEHOLDER =
  /\[(?:insert|your|add|link|name|handle|username|brand|location|caption|hashtag)[^\]\n]{0,80}\]|\{\{[^}\n]{0,80}\}\}|<(?:insert|your)[^>\n]{0,80}>|\blorem ipsum\b|\bundefined\b/iu;
// case-sensitive: "todo" and "nan" are words of other languages
const CODE_PLACEHOLDER = /\bTODO\b|\bNaN\b|\[object Object\]/u;

/** Whether the folded text contains a placeholder. */
export const hasPlaceholder = (folded: string): boolean => PLACEHOLDER.test(folded) || CODE_PLACEHOLDER.test(folded);

const MODEL_TALK =
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b|\bi(?:'m| am) (?:an? )?(?:ai|language model)\b|\bsystem prompt\b|<\/?post-data>|\bpost-data\b|\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:the |your )?(?:previous|prior|above|earlier) (?:instructions|rules|prompts?)\b|\b(?:here is|here's|sure,? here)[^\n]{0,40}\bcaption\b[^\n]{0,40}:|"(?:caption|hashtags|captionVariations|variations)"\s{0,3}:/iu;

/** Whether the folded text mentions the model or its instructions. */
export const mentionsModel = (folded: string): boolean => MODEL_TALK.test(folded);
