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

const DEFAULTS: GoogleSettings = { redirectUris: [], autoApprove: null, issuer: null };

export function simulateGoogle(clock: SimulatedClock): GoogleSimulation {
  const settings: GoogleSettings = { ...DEFAULTS };
  const client = { id: CREDENTIALS.googleClientId, secret: CREDENTIALS.googleClientSecret };
  const routes = googleRoutes({ state: new GoogleState(clock), key: new SigningKey(), clock, people: GOOGLE_PEOPLE, client, settings });
  return { settings, systems: [system('google', routes)], reset: () => void Object.assign(settings, DEFAULTS) };
}
