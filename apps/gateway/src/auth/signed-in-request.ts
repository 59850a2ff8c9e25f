import type { Request } from 'express';
import type { Session } from './session-tokens';

/** A request as the guard of sessions leaves it; without a session where the call is open to everybody. */
export type SignedInRequest = Request & { session?: Session };
