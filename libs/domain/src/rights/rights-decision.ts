import { addReviewReasons, type ReviewReason, reviewReason, type StoredReviewReason } from '../review/review-reason';
import { type FilePrints, isContent, isFrame, isInset, isPart, isUsable, queryFrames } from './prints';
import type { RightsMatch } from './rights-match';

export interface RightsDecision {
  verdict: 'clear' | 'flagged' | 'blocked';
  /** Empty when `clear`. */
  reasons: ReviewReason[];
  /** Set when the post duplicates our own content; no claim blocks it. */
  duplicate: boolean;
}

/** How much of one file can be compared. */
export interface CheckedFile {
  kind: 'video' | 'image';
  /** Seconds of a video, or 1 for a picture, whose hash has enough quality. */
  usable: number;
  total: number;
}

/** A file of which less can be compared needs a person. */
const CHECKED_SHARE = 0.5;
/** Works named in the reasons; more are counted. */
const NAMED_WORKS = 3;

export function checkedFile(file: FilePrints): CheckedFile {
  if (!file.pdq.some(isFrame)) {
    // a part with detail is found in works of which it is the same part alone
    const searched = file.pdq.filter((print) => print.isQuery !== false && !isPart(print.view));
    // bars give a picture detail that its copies lack: where the likeliest content has too little, only an inset can be compared
    const content = searched.find(({ view }) => isContent(view));
    const isCompared = (content === undefined ? searched : [content, ...searched.filter(({ view }) => isInset(view))]).some(isUsable);
    return { kind: 'image', usable: isCompared ? 1 : 0, total: 1 };
  }
  const frames = queryFrames(file);
  const seconds = (of: typeof frames): number => of.reduce((sum, { span }) => sum + span, 0);
  return { kind: 'video', usable: seconds(frames.filter(({ usable }) => usable)), total: seconds(frames) };
}

/**
 * Decides whether a post may continue; each file is judged by what it is. A claim that one file holds blocks; our own earlier content blocks as
 * a duplicate where at least half of the files are the same. What is only similar is flagged for a person, and so is a file of which more
 * than half cannot be compared.
 */
export function decideRights(files: readonly CheckedFile[], matches: readonly RightsMatch[]): RightsDecision {
  const certain = matches.filter(({ strength }) => strength === 'block');
  const claim = certain.find(({ kind }) => kind === 'claim');
  if (claim) return { verdict: 'blocked', duplicate: false, reasons: [reviewReason('matches_claim', evidence(claim, files))] };
  const own = certain.find((match) => match.kind === 'item' && repeated(certain, match) * 2 >= files.length);
  if (own) {
    const code = own.published ? 'posted_before' : 'collected_before';
    return { verdict: 'blocked', duplicate: true, reasons: [reviewReason(code, evidence(own, files, repeated(certain, own)))] };
  }
  const alike = worksOf(matches.filter(({ strength }) => strength !== 'pass'));
  const reasons: ReviewReason[] = alike.slice(0, NAMED_WORKS).map((match) => likeness(match, files, repeated(matches, match)));
  if (alike.length > NAMED_WORKS) reasons.push(reviewReason('resembles_more', { count: alike.length - NAMED_WORKS }));
  const vague = files.filter(({ usable, total }) => usable <= total * CHECKED_SHARE);
  if (vague.length > 0 && vague.length === files.length && vague.every(({ usable }) => usable === 0))
    reasons.push(reviewReason('too_little_detail'));
  else if (vague.length > 0) reasons.push(reviewReason('partly_comparable', { vague: vague.length, files: files.length }));
  return { verdict: reasons.length > 0 ? 'flagged' : 'clear', reasons, duplicate: false };
}

const LIKENESSES: readonly unknown[] = ['resembles_work', 'resembles_more', 'shares_sound'];
/** Whether a reason for a review is a work that the item may show. */
export const isAboutMatch = (reason: StoredReviewReason): boolean => [...LIKENESSES, 'shows_claimed_work'].includes(codeOf(reason));
const codeOf = (reason: StoredReviewReason): unknown => (typeof reason === 'string' ? null : reason.code);
const titleOf = (reason: StoredReviewReason): unknown => (typeof reason === 'string' ? null : reason.fields?.['title']);

/**
 * The reasons of an item after an administrator called it different from one of its matches: those of its other matches, among which may be works of
 * the same title and works that were only counted before. Reasons that a person removed do not come back.
 */
export function reasonsWithoutMatch(
  stored: readonly StoredReviewReason[],
  { title }: Pick<RightsMatch, 'title'>,
  others: readonly RightsMatch[],
  files: readonly CheckedFile[],
): StoredReviewReason[] {
  const named = others.some((other) => other.title === title && other.strength !== 'pass');
  const kept = stored.filter((reason) => codeOf(reason) !== 'shows_claimed_work' || titleOf(reason) !== title || named);
  if (!kept.some((reason) => LIKENESSES.includes(codeOf(reason)))) return kept;
  const likenesses = decideRights(files, others).reasons.filter((reason) => LIKENESSES.includes(codeOf(reason)));
  return addReviewReasons(
    kept.filter((reason) => !LIKENESSES.includes(codeOf(reason))),
    likenesses,
  );
}

/** Number of our files that hold the work of this match. */
const repeated = (matches: readonly RightsMatch[], { kind, id }: RightsMatch): number =>
  new Set(matches.filter((match) => match.kind === kind && match.id === id).map(({ file }) => file)).size;

const worksOf = (matches: readonly RightsMatch[]): RightsMatch[] =>
  [...new Map([...matches].reverse().map((match) => [`${match.kind} ${match.id}`, match])).values()].reverse();

const likeness = (match: RightsMatch, files: readonly CheckedFile[], repeats: number): ReviewReason =>
  match.by === 'sound'
    ? reviewReason('shares_sound', { title: match.title, seconds: Math.round(match.matched) })
    : reviewReason('resembles_work', evidence(match, files, repeats));

/** In a gallery the files are counted, in a single file its frames. */
function evidence({ title, by: found, matched, compared, distance }: RightsMatch, files: readonly CheckedFile[], repeats = 1) {
  const by = found === 'sha256' ? ('sha256' as const) : ('pdq' as const);
  if (files.length > 1) return { title, by, matched: repeats, compared: files.length, distance };
  return { title, by, matched: by === 'sha256' ? 1 : matched, compared: by === 'sha256' ? 1 : compared, distance };
}
