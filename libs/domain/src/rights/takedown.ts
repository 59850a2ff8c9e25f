import type { ClaimStatus, NoticeElement } from '@autoposter/contracts';

/** A removal counts as expeditious within a day: of a post that shows a claimed work, or whose source was removed. */
export const REMOVE_WITHIN_HOURS = 24;
/** From the arrival of a notice until its answer is due. */
const ANSWER_WITHIN_HOURS = 72;
/** Business days after a counter notice, 17 U.S.C. § 512(g)(2)(C): not before the first, not after the second. */
const RESTORE_FROM_DAYS = 10;
const RESTORE_BY_DAYS = 14;
/**
 * Upheld notices within a year, about as many posts, from which an author is named as a repeat infringer. Several posts in one notice count
 * once, as do several notices about one post.
 */
export const REPEAT_INFRINGER = { notices: 2, withinDays: 365 } as const;
/** Strikes count for 90 days, as on the platforms; at this many publishing is paused. */
export const STRIKES = { countDays: 90, pausesAt: 3 } as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface TakedownNotice {
  reference: string | null;
  claimant: string;
  contact: string | null;
  work: string | null;
  locations: readonly string[];
  goodFaith: boolean;
  accurate: boolean;
  signature: string | null;
  receivedAt: Date;
  counterReceivedAt: Date | null;
}

/** The elements that the notice lacks; a complete one has none. */
export function missingElements(notice: TakedownNotice): NoticeElement[] {
  const has: Record<NoticeElement, boolean> = {
    signature: notice.signature !== null,
    work: notice.work !== null,
    locations: notice.locations.length > 0,
    contact: notice.contact !== null,
    goodFaith: notice.goodFaith,
    accuracy: notice.accurate,
  };
  return (Object.keys(has) as NoticeElement[]).filter((element) => !has[element]);
}

interface TakedownDeadlines {
  removeBy: Date;
  answerBy: Date;
  /** `null` without a counter notice. */
  restoreFrom: Date | null;
  restoreBy: Date | null;
}

export function deadlinesOf({
  receivedAt,
  counterReceivedAt,
}: Pick<TakedownNotice, 'receivedAt' | 'counterReceivedAt'>): TakedownDeadlines {
  return {
    removeBy: new Date(receivedAt.getTime() + REMOVE_WITHIN_HOURS * HOUR_MS),
    answerBy: new Date(receivedAt.getTime() + ANSWER_WITHIN_HOURS * HOUR_MS),
    restoreFrom: counterReceivedAt && addBusinessDays(counterReceivedAt, RESTORE_FROM_DAYS),
    restoreBy: counterReceivedAt && addBusinessDays(counterReceivedAt, RESTORE_BY_DAYS),
  };
}

export const NOTICE_ALERTS = ['answer_due', 'answer_overdue', 'restore_due', 'restore_overdue'] as const;
export type NoticeAlert = (typeof NOTICE_ALERTS)[number];

/** A notice that is not closed, as far as its alerts need it. */
export interface OpenNotice {
  receivedAt: Date;
  counterReceivedAt: Date | null;
  answeredAt: Date | null;
  createdAt: Date;
}

/**
 * When an open notice needs a person: a day before its answer is due and once that is overdue, and at the beginning and the end of the time in
 * which posts are restored. What was over when the notice was recorded counts from its record.
 */
export function alertTimesOf({ createdAt, answeredAt, ...notice }: OpenNotice): Record<NoticeAlert, Date | null> {
  const { answerBy, restoreFrom, restoreBy } = deadlinesOf(notice);
  const known = (at: Date | null): Date | null => at && new Date(Math.max(at.getTime(), createdAt.getTime()));
  return {
    answer_due: answeredAt === null && createdAt < answerBy ? known(new Date(answerBy.getTime() - DAY_MS)) : null,
    answer_overdue: answeredAt === null ? known(answerBy) : null,
    restore_due: known(restoreFrom),
    restore_overdue: known(restoreBy),
  };
}

/** Monday to Friday in UTC; holidays differ by court and only lengthen the window. */
function addBusinessDays(from: Date, days: number): Date {
  let at = from.getTime();
  for (let left = days; left > 0;) {
    at += DAY_MS;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return new Date(at);
}

const ELEMENT_TEXTS: Record<NoticeElement, string> = {
  signature: 'a physical or electronic signature of the owner or of a person authorised to act for the owner',
  work: 'identification of the work that is claimed to be infringed',
  locations: 'the addresses of the posts that are claimed to infringe it',
  contact: 'an address, telephone number or e-mail address at which we can reach you',
  goodFaith: 'a statement that you believe in good faith that the use is not authorised by the owner, its agent or the law',
  accuracy: 'a statement that the information is accurate and, under penalty of perjury, that you may act for the owner',
};

interface HandledPost {
  permalink: string | null;
  state: 'open' | 'removing' | 'held' | 'removed' | 'dismissed';
  claimStatus?: ClaimStatus | null;
}

const countOf = (posts: number): string => `${posts} post${posts === 1 ? '' : 's'}`;

/** How the claim of a notice finds posts at present. */
export interface Recognition {
  /** Copies by their pictures. */
  copies: boolean;
  /** Identical files. */
  files: boolean;
  /** Posts at addresses of the claim. */
  addresses: boolean;
  /** The work is fetched or fingerprinted. */
  inProgress: boolean;
}

/** A draft of the answer, for a person to check and send. It states only completed actions; `null` for a claim that stops nothing (any more). */
export function draftAnswer(notice: TakedownNotice, posts: readonly HandledPost[], recognition: Recognition | null): string {
  const about = notice.reference === null ? 'your notice' : `your notice ${notice.reference}`;
  const opening = `Dear ${notice.claimant},\n\nwe received ${about} on ${notice.receivedAt.toISOString().slice(0, 10)}.`;
  const missing = missingElements(notice);
  if (missing.length > 0) {
    const list = missing.map((element) => `- ${ELEMENT_TEXTS[element]}`).join('\n');
    return `${opening} To act on it we need:\n\n${list}\n\nPlease send what is missing.`;
  }
  const of = (state: HandledPost['state']) => posts.filter((post) => post.state === state);
  const removed = of('removed');
  const addresses = removed.flatMap(({ permalink }) => permalink ?? []);
  const unaddressed = removed.length - addresses.length;
  const held = of('held').length;
  const open = [...of('open'), ...of('removing')];
  const openUnder = (status: ClaimStatus): number => open.filter(({ claimStatus }) => claimStatus === status).length;
  const [disputed, expired] = [openUnder('disputed'), openUnder('expired')];
  const inProgress = open.length - disputed - expired;
  const actions = [
    addresses.length === 0 ? null : `We removed:\n${addresses.map((address) => `- ${address}`).join('\n')}`,
    unaddressed === 0 ? null : `We removed ${countOf(unaddressed)}${addresses.length === 0 ? '' : ' more'}.`,
    held === 0 ? null : `We stopped ${countOf(held)} before publication.`,
    inProgress === 0 ? null : `The removal of ${countOf(inProgress)} is in progress.`,
    disputed === 0 ? null : `The removal of ${countOf(disputed)} waits until the dispute about the claim is settled.`,
    expired === 0 ? null : `The removal of ${countOf(expired)} has stopped, because the claim has expired.`,
  ].flatMap((line) => line ?? []);
  const done = actions.length > 0 ? actions : [`We found no post of ours that shows "${notice.work ?? ''}".`];
  return [opening, ...done, ...(recognition === null ? [] : promises(notice.work ?? '', recognition))].join('\n\n');
}

function promises(work: string, { copies, files, addresses, inProgress }: Recognition): string[] {
  if (copies) return [`"${work}" is in our register: we compare every post with it, and do not publish posts in which we recognise it.`];
  const kept = [files ? 'identical files' : [], addresses ? 'the posts at the addresses that you named' : []].flat().join(' and ');
  return [
    ...(kept === '' ? [] : [`We do not publish ${kept} again.`]),
    inProgress
      ? `We are adding "${work}" to our register, so that we recognise other copies of it.`
      : `We cannot recognise other copies of "${work}" yet: please send us a copy of it, or the address of one.`,
  ];
}
