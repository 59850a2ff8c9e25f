import type { SimulatedClock } from '../server/clock';
import type { MediaLibrary } from '../media/media-library';
import type { AccessToken, AccessTokens } from './access-tokens';
import { graphRefusal, type Language } from './graph-refusal';
import type { InstagramSettings } from './instagram-settings';
import type { InstagramState } from './instagram-state';
import type { MediaInspector } from './media-inspector';

export interface InstagramAccount {
  id: string;
  /** The id that `/me` gives under Instagram Login; not the one for publishing. */
  appScopedId: string;
  username: string;
  name: string;
  followers: number;
}

/** Everything that the handlers of this system share. */
export interface InstagramParts {
  account: InstagramAccount;
  tokens: AccessTokens;
  state: InstagramState;
  settings: InstagramSettings;
  inspector: MediaInspector;
  library: MediaLibrary;
  clock: SimulatedClock;
  app: { id: string; secret: string };
  /** Codes of the sign-in that have been exchanged. */
  usedCodes: Set<string>;
  mediaOrigin: () => string;
  uploadOrigin: () => string;
}

/** One call with its parameters merged from query, form and JSON body. */
export interface GraphCall {
  params: ReadonlyMap<string, string>;
  token: AccessToken;
  language: Language;
  behaviours: ReadonlySet<string>;
  version: string;
}

export function requireParam(call: GraphCall, name: string): string {
  const value = call.params.get(name);
  if (value === undefined || value === '') throw graphRefusal('bad_param', { what: `The parameter ${name} is required.` });
  return value;
}
