import { CREDENTIALS } from '../credentials';
import type { SimulatedClock } from '../server/clock';
import { system, type SimulatedSystem } from '../simulated-system';
import { GOOGLE_PEOPLE } from './google-people';
import { GoogleState } from './google-state';
import { googleRoutes, type GoogleSettings } from './google.routes';
import { SigningKey } from './signing-key';

export interface GoogleSimulation {
  settings: GoogleSettings;
  systems: SimulatedSystem[];
  reset(): void;
}

/** `redirectUris` are the addresses registered from the start; none = every loopback address. */
export function simulateGoogle(clock: SimulatedClock, redirectUris: readonly string[]): GoogleSimulation {
  const defaults = (): GoogleSettings => ({ redirectUris: [...redirectUris], autoApprove: null, issuer: null });
  const settings = defaults();
  const client = { id: CREDENTIALS.googleClientId, secret: CREDENTIALS.googleClientSecret };
  const routes = googleRoutes({ state: new GoogleState(clock), key: new SigningKey(), clock, people: GOOGLE_PEOPLE, client, settings });
  return { settings, systems: [system('google', routes)], reset: () => void Object.assign(settings, defaults()) };
}
