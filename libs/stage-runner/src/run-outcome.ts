import type { SkipReason } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';

/** How the steps of one run came out. `final` failures are dead whatever their kind; `reached` is what the steps before had found out. */
export type RunOutcome =
  | { kind: 'done'; output: unknown }
  | { kind: 'skip'; reason: SkipReason; details: string; evidence?: unknown }
  | { kind: 'fail'; failure: Failure; step: string; final: boolean; reached?: unknown }
  | { kind: 'wait'; seconds: number; reason: string; redo?: string; evidence?: unknown }
  | { kind: 'unknown'; failure: Failure; step: string }
  /** Gone, or no longer wanted. */
  | { kind: 'cancelled' }
  /** The process drains. */
  | { kind: 'released'; step: string };
