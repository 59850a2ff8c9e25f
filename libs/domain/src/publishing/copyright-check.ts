import type { RightsCheckState, UncheckedPolicy } from '@autoposter/contracts';
import { failureOf, type Failure } from '../errors/failure';
import type { CopyrightCheck, CopyrightMatch } from './publisher.port';

/** A post whose copyright check has no result, from its first look on. */
export interface RightsCheck {
  state: RightsCheckState;
  /** ISO time. */
  since: string;
  /** Whether a person decides. */
  held: boolean;
  /** The person who published it nevertheless. */
  releasedBy?: string;
}

/** A check that has not begun or not ended after this time will not. */
const MAX_CHECK_MS = 3_600_000;

/**
 * What a check without a result means for a video before its publish call: `null` lets it pass. A held post is checked again, so that a
 * late result still decides.
 */
export function judgeRights(
  copyright: CopyrightCheck | null,
  known: RightsCheck | null,
  policy: UncheckedPolicy,
  now: Date,
): RightsCheck | null {
  if (copyright === null || copyright.state === 'completed' || known?.releasedBy !== undefined) return null;
  const since = known?.since ?? now.toISOString();
  const isLate = now.getTime() - Date.parse(since) > MAX_CHECK_MS;
  const state = copyright.state === 'in_progress' && isLate ? 'timed_out' : copyright.state;
  if (state === 'in_progress') return { state, since, held: false };
  // a container can be ready shortly before its check begins
  return policy === 'hold' ? { state, since, held: state !== 'not_started' || isLate } : null;
}

const SENTENCES: Record<RightsCheckState, string> = {
  in_progress: "Instagram's copyright check is still running.",
  not_started: 'Instagram has not started its copyright check.',
  error: "Instagram's copyright check failed.",
  timed_out: "Instagram's copyright check has been running for more than an hour.",
};

/** Why a post waits for its copyright check. */
export const rightsCheckText = ({ state, held }: RightsCheck): string =>
  `${SENTENCES[state]}${held ? ' The post is held until there is a result or an administrator publishes it.' : ''}`;

function time(exact: number): string {
  const seconds = Math.round(exact);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Works that a message lists. */
const MAX_LISTED = 3;

export function describeMatch({ title, owner, actions, segments }: CopyrightMatch): string {
  const places = segments.map(
    ({ kind, startSeconds, seconds }) => `${kind.toLowerCase()} ${time(startSeconds)}–${time(startSeconds + seconds)}`,
  );
  const facts = [...places, ...actions.map((action) => action.toLowerCase())];
  return `"${title ?? 'untitled'}"${owner === null ? '' : ` by ${owner}`}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** The failure of media in which the platform found protected works, with the matched segments. */
export function copyrightFailure({ matches }: CopyrightCheck): Failure {
  const more = matches.length > MAX_LISTED ? ` and ${matches.length - MAX_LISTED} more` : '';
  const listed = matches.length === 0 ? '' : `: ${matches.slice(0, MAX_LISTED).map(describeMatch).join('; ')}${more}`;
  return failureOf('copyright_match', { fields: { matches: listed } });
}
