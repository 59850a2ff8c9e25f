import type { FaultInput } from '../faults';

/**
 * A named fault, activated with `POST /control/presets/{name}`; the request body may override any field (`{"match":{"times":3}}`).
 */
interface Preset {
  /** Description for the preset list: one sentence. */
  about: string;
  fault: FaultInput;
}

export type PresetTable = Readonly<Record<string, Preset>>;

type Match = FaultInput['match'];

/** A fault, or a response that the simulated system gives in other cases itself. */
export type Effect = Omit<FaultInput, 'match'>;

/** Presets for requests of one kind; they apply once unless they state otherwise. */
export const presetsFor =
  (requests: Match) =>
  (about: string, effect: Effect, more: Match = {}): Preset => ({ about, fault: { ...effect, match: { times: 1, ...requests, ...more } } });

export const EVERY_TIME: Match = { times: undefined };
/** The effect happens, and the connection closes before the response. */
export const LOST: Effect = { when: 'after', cut: true };

const PAGE = '<!doctype html><html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>';

/** An HTML page, as the front end of an API sends it. */
export const htmlPage = (status: number): Effect => ({ status, body: PAGE });
