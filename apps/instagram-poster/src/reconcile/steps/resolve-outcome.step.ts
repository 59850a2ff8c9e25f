import type { PublishedMedia } from '@autoposter/domain';
import { defineStep, done, wait } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';
import { lastCallOf } from '@autoposter/workflow';
import type { MediaChecked } from './check-account-media.step';

export type Resolution =
  | { kind: 'published'; media: PublishedMedia }
  /** The container is published, but no media of the account can be identified as the post. */
  | { kind: 'published-unseen' }
  /** Nothing is published and the container still exists: it may be published after one more check. */
  | { kind: 'publish-again' }
  /** Nothing is published and this attempt can no longer publish anything. */
  | { kind: 'not-published'; message: string }
  /** The account does not show the outcome: an administrator has to say it. */
  | { kind: 'ask-a-person'; message: string };

export interface ReconcileSchedule {
  /** Seconds after the last call at which to check; after the last one a person is asked. */
  looksAtSeconds: readonly number[];
  /** Seconds after the last call from which an absent post counts as not published. */
  believeAbsentAfterSeconds: number;
}

/** Decides by evidence only, and waits for the next check while the evidence is insufficient. */
export const resolveOutcome = defineStep<MediaChecked, Resolution, { reconcile: ReconcileSchedule }>({
  name: 'resolve-outcome',
  effect: 'pure',
  run(seen, { reconcile }, { now }) {
    const age = (now.getTime() - (lastCallOf(seen.attempt) ?? seen.attempt.createdAt).getTime()) / 1000;
    const resolution = judge(seen, age, reconcile.believeAbsentAfterSeconds);
    if (resolution !== null) return Promise.resolve(done(resolution));
    const next = reconcile.looksAtSeconds.find((seconds) => seconds > age);
    if (next !== undefined) return Promise.resolve(wait(Math.ceil(next - age), 'Looking again whether the post is out.'));
    const message = `Instagram gave no certain answer within ${inWords(age)}: is the post on the account?`;
    return Promise.resolve(done<Resolution>({ kind: 'ask-a-person', message }));
  },
});

const inWords = (seconds: number): string =>
  seconds < 2 * 3600 ? `${Math.max(1, Math.round(seconds / 60))} minutes` : `${Math.round(seconds / 3600)} hours`;

/** Instagram expires a container that was not published within this time. */
const CONTAINER_LIFE_SECONDS = 24 * 3600;

/** After this many times the wait for an absent post, a list that does not show a published one is not merely late. */
const LISTED_AFTER = 3;

/** An administrator's report of an absent post replaces the account's counters, never the state of the container. */
function judge(seen: MediaChecked, age: number, absentAfter: number): Resolution | null {
  const { attempt, container, candidates, mayBeAnother } = seen;
  if (attempt.kind === 'story' && attempt.answeredMediaId === null) {
    if (container === 'PUBLISHED' || candidates.length > 0) return judgeSeenStory(seen, age, absentAfter);
    return judgeAbsence(seen, age, absentAfter);
  }
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0 && !mayBeAnother) return { kind: 'published', media: only };
  if (mayBeAnother) return { kind: 'ask-a-person', message: 'The post on the account can be another one with this caption.' };
  if (only !== undefined) return { kind: 'ask-a-person', message: `${candidates.length} posts on the account could be this one.` };
  return judgeAbsence(seen, age, absentAfter);
}

/** Clocks differ, and a story may be published after the answer to its call. */
const STORY_SLACK_SECONDS = 3600;

/** The account lists a story for a day. Towards its end the list may show another one only. */
const STORY_LISTED_SECONDS = 24 * 3600 - STORY_SLACK_SECONDS;

/**
 * A story has no caption to identify it: only its container or the address that a person gave shows that it was published, not a story on the
 * account. Its media is the only story of the time of its call, while the account still lists it and no other attempt can own it.
 */
function judgeSeenStory(seen: MediaChecked, age: number, absentAfter: number): Resolution | null {
  const { attempt, container, candidates, mayBeAnother } = seen;
  const isStated = attempt.permalink !== null;
  // the list shows a published story late, so that the only one on it may be another
  if (!isStated && age < absentAfter * (container === 'PUBLISHED' ? LISTED_AFTER : 1)) return null;
  const [only, ...others] = isStated ? candidates : candidates.filter((media) => isOfCall(media, attempt));
  const isCertain = isStated || (container === 'PUBLISHED' && age < STORY_LISTED_SECONDS && !mayBeAnother);
  if (only !== undefined && others.length === 0 && isCertain) return { kind: 'published', media: only };
  if (container === 'PUBLISHED') return { kind: 'published-unseen' };
  if (container === 'ERROR' || container === 'EXPIRED' || container === 'GONE') return NOT_OUT;
  if (container === 'FINISHED' && attempt.absentAt !== null) return { kind: 'publish-again' };
  return { kind: 'ask-a-person', message: 'A story on the account could be this one.' };
}

function isOfCall({ timestamp }: PublishedMedia, attempt: PublishAttempt): boolean {
  const lastMs = (lastCallOf(attempt) ?? attempt.createdAt).getTime();
  const at = Date.parse(timestamp);
  return at >= attempt.createdAt.getTime() - STORY_SLACK_SECONDS * 1000 && at <= lastMs + STORY_SLACK_SECONDS * 1000;
}

const NOT_OUT: Resolution = { kind: 'not-published', message: 'The post did not come out; its prepared media is gone.' };

function judgeAbsence({ attempt, container, unexplainedPosts }: MediaChecked, age: number, absentAfter: number): Resolution | null {
  const reportedAbsent = attempt.absentAt !== null;
  if (container === 'PUBLISHED') return age < LISTED_AFTER * absentAfter || reportedAbsent ? null : { kind: 'published-unseen' };
  // The list shows a published post late; a container that the platform does not show may have been published as well.
  if (age < absentAfter) return null;
  if (container === 'UNSEEN' && !(reportedAbsent && age >= CONTAINER_LIFE_SECONDS)) return null;
  if (unexplainedPosts > 0 && !reportedAbsent) return null;
  if (container === 'FINISHED') return { kind: 'publish-again' };
  if (container === 'IN_PROGRESS') return null;
  return NOT_OUT;
}
