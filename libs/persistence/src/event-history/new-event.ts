import type { FactType, Stage } from '@autoposter/contracts';

export interface NewEvent {
  type: FactType;
  subjectId: string;
  itemId?: string | null;
  stage?: Stage | null;
  state?: string | null;
  /** Cut at 300 characters. */
  reason?: string | null;
  correlationId?: string;
  causationId?: string | null;
  /** The trace that it belongs to where no span is open here. */
  traceparent?: string | null;
  /** `system` unless a person is behind it. */
  actor?: string;
}

export type CollectedEvent = NewEvent & { id: string; correlationId: string; traceparent: string | null };
