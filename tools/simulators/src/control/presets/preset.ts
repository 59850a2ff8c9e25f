import type { FaultInput } from '../fault';

/**
 * A named fault, ready to be applied with `POST /control/presets/{name}`; the body of that call may change any part of it
 * (`{"match":{"times":3}}`). Where nothing else is said a preset strikes once.
 */
export interface Preset {
  /** What a person sees in the list: what happens, in one sentence. */
  about: string;
  fault: FaultInput;
}

export type PresetTable = Readonly<Record<string, Preset>>;

export const HTML_PAGE = '<!doctype html><html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>';
