/** A request that needs a grant of the budget. */
export interface BudgetRequest {
  /** The requested resource, such as the path: a provider may refuse one source and answer others. */
  source: string;
  /** A person waits for the answer; every other request is automatic. */
  forPerson: boolean;
}

/** The budget in an answer's headers; `null` where they have no value. */
export interface BudgetReading {
  used: number | null;
  remaining: number | null;
  /** Seconds until the current window ends. */
  resetSeconds: number | null;
  /** The provider refused with "too many requests". */
  refused: boolean;
  /** Seconds after which a refused caller may retry. */
  retryAfterSeconds: number | null;
}

/** One provider's request budget for all processes. Throws `rate_limited` with `retryAfterSeconds` where a request must wait. */
export interface RequestBudget {
  take(ask: BudgetRequest): Promise<void>;
  /** Reports each answer, or `null` where none came. Returns the seconds after which the same source may be requested again after a refusal. */
  report(ask: BudgetRequest, reading: BudgetReading | null): Promise<number | null>;
}

export interface BudgetState {
  /** Requests of a whole window as last announced. */
  total: number | null;
  /** Requests left in the announced window, without those that were taken since. */
  remaining: number | null;
  windowEndsAt: Date | null;
  /** Until when a request in flight may reveal the state of an unknown window. */
  probeUntil: Date | null;
  /** The whole provider refuses until then. */
  blockedUntil: Date | null;
  /** Refusals since the last answer. */
  refusals: number;
}

export const UNKNOWN_BUDGET: BudgetState = {
  total: null,
  remaining: null,
  windowEndsAt: null,
  probeUntil: null,
  blockedUntil: null,
  refusals: 0,
};

type BudgetDecision = { granted: true; next: BudgetState } | { granted: false; retryAt: Date };

/** Length of the windows; it only affects the pace of automatic requests. */
const WINDOW_SECONDS = 600;
/** Longer than a request may take, and short enough that a dead process delays others only briefly. */
const PROBE_SECONDS = 15;
/** Share of a window that automatic requests leave to people, and share that they may use ahead of an even pace. */
const RESERVE = 0.1;
const BURST = 0.2;
const DEFAULT_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3600;
const MAX_BACKOFF_SECONDS = 600;
/** Sources refused in a row before the refusal counts as the whole provider's. */
const REFUSALS_OF_PROVIDER = 3;

export const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);
const isAhead = (time: Date | null, now: Date): time is Date => time !== null && time > now;

/**
 * Whether a request may be sent now. While the window is unknown one request at a time is sent, and its answer reveals the window. In a
 * known window people get what is left; automatic requests keep an even pace and leave a reserve.
 */
export function decideRequest(state: BudgetState, { forPerson }: Pick<BudgetRequest, 'forPerson'>, now: Date): BudgetDecision {
  if (isAhead(state.blockedUntil, now)) return { granted: false, retryAt: state.blockedUntil };
  const { total, remaining, windowEndsAt } = state;
  if (total === null || remaining === null || !isAhead(windowEndsAt, now)) {
    if (isAhead(state.probeUntil, now)) return { granted: false, retryAt: new Date(Math.min(+state.probeUntil, +now + 250)) };
    return { granted: true, next: { ...state, remaining: null, windowEndsAt: null, probeUntil: secondsAfter(now, PROBE_SECONDS) } };
  }
  if (remaining < 1) return { granted: false, retryAt: windowEndsAt };
  if (!forPerson) {
    const retryAt = paceOf(total, remaining, windowEndsAt, now);
    if (retryAt !== null) return { granted: false, retryAt };
  }
  return { granted: true, next: { ...state, remaining: remaining - 1 } };
}

/** When the next automatic request may be sent, `null` for now. */
function paceOf(total: number, remaining: number, windowEndsAt: Date, now: Date): Date | null {
  if (remaining - 1 < Math.floor(total * RESERVE)) return windowEndsAt;
  const secondsPast = WINDOW_SECONDS - (windowEndsAt.getTime() - now.getTime()) / 1000;
  const ahead = total - remaining + 1 - Math.max(1, total * BURST);
  const secondsDue = (ahead / total) * WINDOW_SECONDS;
  if (secondsDue <= secondsPast) return null;
  return new Date(Math.min(+secondsAfter(now, secondsDue - secondsPast), +windowEndsAt));
}

/** The state after an answer, `null` for a request without one. Requests in flight make the lower number the true one. */
export function budgetAfter(state: BudgetState, reading: BudgetReading | null, now: Date): BudgetState {
  const answered = { ...state, probeUntil: null };
  if (reading === null) return answered;
  const known = readWindow(answered, reading, now);
  if (!reading.refused) return { ...known, refusals: 0, blockedUntil: null };
  const refused = { ...known, refusals: state.refusals + 1 };
  const isUsedUp = isAhead(known.windowEndsAt, now) && known.remaining !== null && known.remaining < 1;
  if (isUsedUp) {
    const until = reading.retryAfterSeconds === null ? known.windowEndsAt : secondsAfter(now, pauseOf(reading, 1));
    return { ...refused, blockedUntil: until };
  }
  const isProvider = refused.refusals >= REFUSALS_OF_PROVIDER;
  return isProvider
    ? { ...refused, blockedUntil: secondsAfter(now, pauseOf(reading, refused.refusals - REFUSALS_OF_PROVIDER + 1)) }
    : refused;
}

/** Seconds to pause a refused source: as the provider asks, else a minute that doubles with each refusal in a row. */
export function pauseOf({ retryAfterSeconds }: Pick<BudgetReading, 'retryAfterSeconds'>, refusals: number): number {
  if (retryAfterSeconds !== null) return Math.min(Math.max(retryAfterSeconds, 1), MAX_PAUSE_SECONDS);
  return Math.min(DEFAULT_PAUSE_SECONDS * 2 ** Math.min(refusals - 1, 10), MAX_BACKOFF_SECONDS);
}

function readWindow(state: BudgetState, { used, remaining, resetSeconds }: BudgetReading, now: Date): BudgetState {
  if (remaining === null || resetSeconds === null) return state;
  const windowEndsAt = secondsAfter(now, Math.min(resetSeconds, MAX_PAUSE_SECONDS));
  const isSameWindow = state.windowEndsAt !== null && Math.abs(+state.windowEndsAt - +windowEndsAt) < 30_000;
  return {
    ...state,
    total: Math.max(1, remaining + (used ?? 0)),
    remaining: isSameWindow && state.remaining !== null ? Math.min(state.remaining, remaining) : remaining,
    windowEndsAt,
  };
}
