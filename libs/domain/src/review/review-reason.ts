import { LIMITS } from '@autoposter/contracts';

/** The result that a reason belongs to; the next result of this kind replaces its reasons. */
type ReviewOrigin = 'source' | 'rights' | 'caption' | 'queue';

/** A work with a matching fingerprint, and how much of the item matches. */
interface MatchFields {
  title: string;
  by: 'sha256' | 'pdq';
  matched: number;
  compared: number;
  distance: number;
}

const evidenceOf = ({ by, matched, compared, distance }: MatchFields): string => {
  if (by === 'pdq') return `${matched} of ${compared} pictures within ${distance} of 256 bits`;
  return compared === 1 ? 'identical file' : `${matched} of ${compared} files identical`;
};
const { maxCharacters, maxMentions } = LIMITS.caption;

/** The sentences, in the order source, rights check, caption, queue. Codes are stored: a renamed one needs a migration. */
const REVIEW_REASONS = {
  nsfw_at_source: { origin: 'source', text: () => 'Marked as not safe for work at the source.' },

  matches_claim: { origin: 'rights', text: (match: MatchFields) => `Matches the claimed work "${match.title}" (${evidenceOf(match)}).` },
  posted_before: {
    origin: 'rights',
    text: (match: MatchFields) => `The same content was already posted as "${match.title}" (${evidenceOf(match)}).`,
  },
  collected_before: {
    origin: 'rights',
    text: (match: MatchFields) => `The same content was already collected as "${match.title}" (${evidenceOf(match)}).`,
  },
  resembles_work: {
    origin: 'rights',
    text: (match: MatchFields) => `Looks in part like "${match.title}" (${evidenceOf(match)}); please compare.`,
  },
  shares_sound: {
    origin: 'rights',
    text: ({ title, seconds }: { title: string; seconds: number }) =>
      `Has the sound of "${title}" for ${seconds} s; please check the rights to it.`,
  },
  too_little_detail: {
    origin: 'rights',
    text: () => 'The picture has too little detail to be compared with the register; please check it.',
  },
  resembles_more: {
    origin: 'rights',
    text: ({ count }: { count: number }) => `${count} more ${count === 1 ? 'work looks' : 'works look'} alike.`,
  },
  partly_comparable: {
    origin: 'rights',
    text: ({ vague, files }: { vague: number; files: number }) =>
      files === 1
        ? 'Most of the video has too little detail to be compared with the register; please check it.'
        : `${vague} of ${files} files have too little detail to be compared with the register; please check them.`,
  },
  shows_claimed_work: { origin: 'rights', text: ({ title }: { title: string }) => `Shows the claimed work "${title}".` },
  video_trimmed: {
    origin: 'rights',
    text: ({ seconds }: { seconds: number }) =>
      `The video lasts ${seconds} s at its source; only the first ${LIMITS.reels.maxSeconds} s are posted.`,
  },
  gallery_shortened: {
    origin: 'rights',
    text: ({ files, used }: { files: number; used: number }) =>
      `The gallery has ${files} files; one post takes ${used}, so the last ${files - used} are left out.`,
  },

  written_by_hand: { origin: 'caption', text: () => 'The caption was written by hand, without a look of the models at the file.' },
  empty: { origin: 'caption', text: () => 'The caption is empty.' },
  too_long: {
    origin: 'caption',
    text: ({ count, credit }: { count: number; credit?: number }) =>
      credit === undefined
        ? `The caption has ${count} characters; at most ${maxCharacters} are allowed.`
        : `With its credit line of ${credit} characters the caption has ${count} characters; at most ${maxCharacters} are allowed. Shorten it by ${count - maxCharacters}.`,
  },
  too_many_hashtags: {
    origin: 'caption',
    text: ({ count, limit }: { count: number; limit: number }) => `The caption has ${count} hashtags; at most ${limit} are allowed.`,
  },
  too_many_mentions: {
    origin: 'caption',
    text: ({ count }: { count: number }) => `The caption mentions ${count} accounts; at most ${maxMentions} are allowed.`,
  },
  invisible_characters: {
    origin: 'caption',
    text: ({ character }: { character: string }) => `The caption holds invisible characters (${character}); remove them.`,
  },
  invisible_characters_removed: { origin: 'caption', text: () => 'Invisible characters were removed from what the model wrote.' },
  contains_mention: { origin: 'caption', text: () => 'The caption mentions an account other than the credited author.' },
  contains_url: { origin: 'caption', text: () => 'The caption holds a link or something that could be a web address.' },
  contains_contact: {
    origin: 'caption',
    text: () => 'The caption holds an e-mail address, a telephone number or the name of a messenger.',
  },
  contains_wallet: { origin: 'caption', text: () => 'The caption holds what could be a wallet address or a key.' },
  promotion: { origin: 'caption', text: () => 'The caption reads like an advertisement: an offer, a code or a call to write in private.' },
  sensitive_subject: { origin: 'caption', text: () => 'The subject is sensitive: the caption speaks of death, violence, illness or sex.' },
  sensitive_source: {
    origin: 'caption',
    text: () => 'The subject is sensitive: title or picture are about death, violence, illness or sex.',
  },
  placeholder: { origin: 'caption', text: () => 'The caption holds a placeholder that was never filled in.' },
  prompt_leak: { origin: 'caption', text: () => 'The caption speaks of the model or its instructions.' },
  prompt_repeated: { origin: 'caption', text: () => 'The model repeated its own instructions; the post may hold instructions to it.' },
  other_language: { origin: 'caption', text: () => 'The caption is in another language than the post, and not in English.' },
  without_model: { origin: 'caption', text: () => 'The caption was composed without a model; check that it fits the post.' },

  left_queue: { origin: 'queue', text: () => 'The post is no longer in the queue.' },
  permission_missing: {
    origin: 'queue',
    text: (fields: { by: 'account' } | undefined) =>
      `The ${fields?.by ?? 'subreddit'} requires the permission of the author, and there is none; ask for it on the Rights screen.`,
  },
  too_many_reposts: {
    origin: 'queue',
    text: ({ share, greatest }: { share: number; greatest: number }) => {
      const percent = (part: number) => `${Math.round(part * 100)} %`;
      return `With this post, plain reposts would be about ${percent(share)} of the posts of the last ${LIMITS.originality.windowDays} days; the queue allows ${percent(greatest)}.`;
    },
  },
  collaboration_missing: {
    origin: 'queue',
    text: ({ collaborator }: { collaborator: string }) =>
      `The author permitted a collaboration only, and @${collaborator} is no collaborator of this post; queue it again.`,
  },
  collaboration_unavailable: {
    origin: 'queue',
    text: ({ collaborator, reason }: { collaborator: string; reason: string }) =>
      `The author permitted a collaboration with @${collaborator} only: ${reason}`,
  },
  permission_refused: {
    origin: 'queue',
    text: ({ grantor }: { grantor: string }) => `${grantor} refused the permission.`,
  },
  permission_revoked: {
    origin: 'queue',
    text: ({ grantor }: { grantor: string }) => `The permission of ${grantor} was revoked.`,
  },
  permission_expired: {
    origin: 'queue',
    text: ({ grantor }: { grantor: string }) => `The permission of ${grantor} has ended; ask for a new one on the Rights screen.`,
  },
  no_processed_file: { origin: 'queue', text: () => 'The post has no processed file.' },
  published_before: {
    origin: 'queue',
    text: ({ permalink }: { permalink: string | null }) => `This post was published already${permalink === null ? '' : ` (${permalink})`}.`,
  },
  removed_before: {
    origin: 'queue',
    text: () => 'This post was published and taken down. Autoposter publishes a post only once; publish it again in the Instagram app.',
  },

  /** A sentence that an older program stored, before reasons had codes. */
  stored_text: { origin: null, text: ({ text }: { text: string; origin: ReviewOrigin }) => text },
} as const satisfies Record<string, { origin: ReviewOrigin | null; text: (fields: never) => string }>;

type ReviewReasonCode = keyof typeof REVIEW_REASONS;
type FieldsOf<Code extends ReviewReasonCode> = (typeof REVIEW_REASONS)[Code]['text'] extends (fields: infer Fields) => string
  ? Fields
  : never;

/** Why a person has to review an item, or why it may not be queued, as data. */
export interface ReviewReason<Code extends ReviewReasonCode = ReviewReasonCode> {
  code: Code;
  /** Values of the sentence; missing where it has none. */
  fields?: Readonly<Record<string, unknown>>;
}

/** A reason as items store it: older programs wrote the sentence. */
export type StoredReviewReason = ReviewReason | string;

/** The reason of this code, with the values of its sentence. */
export const reviewReason = <Code extends ReviewReasonCode>(
  code: Code,
  ...[fields]: unknown extends FieldsOf<Code> ? [] : [FieldsOf<Code>]
): ReviewReason<Code> => (fields === undefined ? { code } : { code, fields: fields as Readonly<Record<string, unknown>> });

export function renderReviewReason(reason: StoredReviewReason): string {
  if (typeof reason === 'string') return reason;
  if (!isKnown(reason)) return `A newer version of Autoposter found a reason for a review (${String(reason.code)}); please check the post.`;
  return (REVIEW_REASONS[reason.code].text as (fields: unknown) => string)(reason.fields);
}

/** Programs of two versions share the database during an upgrade. */
const isKnown = ({ code }: ReviewReason): boolean => Object.hasOwn(REVIEW_REASONS, code);

/** One text of several reasons. */
export const renderReviewReasons = (reasons: readonly StoredReviewReason[]): string => reasons.map(renderReviewReason).join(' ');

/** The stored reasons and these, none twice. */
export const addReviewReasons = (stored: readonly StoredReviewReason[], added: readonly ReviewReason[]): StoredReviewReason[] => [
  ...new Map(
    [...stored, ...added.map(({ code, fields }) => reviewReasonOf(code, fields))].map((reason) => [keyOf(reason), reason]),
  ).values(),
];

/** The stored reasons after a new result: its reasons replace those of the earlier result of this origin. */
export const replaceReviewReasons = (
  stored: readonly StoredReviewReason[],
  origin: ReviewOrigin,
  reasons: readonly ReviewReason[],
): StoredReviewReason[] =>
  addReviewReasons(
    stored.filter((reason) => originOf(reason) !== origin),
    reasons,
  );

/** Reasons of a caption that remain when a person changes its text. */
const NOT_OF_TEXT: ReadonlySet<ReviewReasonCode> = new Set(['sensitive_source', 'without_model', 'written_by_hand']);

/** The stored reasons after a person has edited the caption: the former text breaks no rule any more. */
export const withoutCaptionText = (stored: readonly StoredReviewReason[]): StoredReviewReason[] =>
  stored.filter((reason) => originOf(reason) !== 'caption' || (typeof reason !== 'string' && NOT_OF_TEXT.has(reason.code)));

const reviewReasonOf = (code: ReviewReasonCode, fields: ReviewReason['fields']): ReviewReason =>
  fields === undefined ? { code } : { code, fields };

const originOf = (reason: StoredReviewReason): unknown =>
  typeof reason === 'string' || !isKnown(reason) ? null : (REVIEW_REASONS[reason.code].origin ?? reason.fields?.['origin']);

/** The database does not keep the order of fields. */
const keyOf = (reason: StoredReviewReason): string =>
  typeof reason === 'string'
    ? reason
    : JSON.stringify([reason.code, Object.entries(reason.fields ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))]);
