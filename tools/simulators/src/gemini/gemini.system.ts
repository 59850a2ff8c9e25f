import { CREDENTIALS } from '../credentials';
import type { SimulatedClock } from '../server/clock';
import { type SimulatedSystem, system } from '../server/sim-server';
import { FileStore } from './file-store';
import { fileRoutes } from './files.routes';
import { geminiError } from './gemini-errors';
import { type GeminiParts, geminiRoutes } from './gemini.routes';
import { GEMINI_DEFAULTS, type GeminiSettings, QuotaLimiter } from './quota-limiter';

interface GeminiSimulation {
  settings: GeminiSettings;
  systems: SimulatedSystem[];
  reset(): void;
}

export function simulateGemini(options: { clock: SimulatedClock; ffprobePath: string; dataDir: string }): GeminiSimulation {
  const { clock, ffprobePath, dataDir } = options;
  const settings: GeminiSettings = { ...GEMINI_DEFAULTS };
  const quota = new QuotaLimiter(clock, settings);
  const files = new FileStore(clock, settings, ffprobePath, dataDir);
  const parts: GeminiParts = { key: CREDENTIALS.geminiKey, quota, files, clock };
  const routes = [...fileRoutes(parts), ...geminiRoutes(parts)];
  const notFound: SimulatedSystem['notFound'] = () => geminiError(404, 'NOT_FOUND', 'Requested entity was not found.');
  const decorate: SimulatedSystem['decorate'] = (_request, response) => {
    Object.assign(response.headers, { 'server-timing': 'gfet4t7; dur=12', vary: 'Origin, X-Origin, Referer' });
  };
  return {
    settings,
    systems: [system('gemini', routes, { notFound, bodyLimitBytes: 140_000_000, decorate })],
    reset: () => {
      Object.assign(settings, GEMINI_DEFAULTS);
      quota.reset();
    },
  };
}
