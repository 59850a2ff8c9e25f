import { CREDENTIALS } from '../credentials';
import type { SimulatedClock } from '../server/clock';
import { system, type SimulatedSystem } from '../simulated-system';
import { groqError } from './groq-errors';
import { groqRoutes } from './groq.routes';
import { GROQ_DEFAULTS, RateBook, type GroqSettings } from './rate-book';

export interface GroqSimulation {
  settings: GroqSettings;
  systems: SimulatedSystem[];
  reset(): void;
}

export function simulateGroq(clock: SimulatedClock): GroqSimulation {
  const settings: GroqSettings = { ...GROQ_DEFAULTS };
  const rates = new RateBook(clock, settings);
  const notFound: SimulatedSystem['notFound'] = ({ method, path }) =>
    groqError(404, `Unknown request URL: ${method} ${path}. Please check the URL for typos.`, 'invalid_request_error', 'unknown_url');
  return {
    settings,
    systems: [system('groq', groqRoutes({ key: CREDENTIALS.groqKey, rates, clock }), { notFound, bodyLimitBytes: 24_000_000 })],
    reset: () => {
      Object.assign(settings, GROQ_DEFAULTS);
      rates.reset();
    },
  };
}
