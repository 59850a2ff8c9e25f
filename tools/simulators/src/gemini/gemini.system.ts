import { CREDENTIALS } from '../credentials';
import type { SimulatedClock } from '../server/clock';
import { system, type SimulatedSystem } from '../simulated-system';
import { FileShelf } from './file-shelf';
import { fileRoutes } from './files.routes';
import type { GeminiParts } from './gemini-parts';
import { geminiRoutes } from './gemini.routes';
import { geminiError } from './gemini-errors';
import { GEMINI_DEFAULTS, QuotaBook, type GeminiSettings } from './quota-book';

export interface GeminiSimulation {
  settings: GeminiSettings;
  systems: SimulatedSystem[];
  reset(): void;
}

export function simulateGemini(options: { clock: SimulatedClock; ffprobePath: string; dataDir: string }): GeminiSimulation {
  const { clock, ffprobePath, dataDir } = options;
  const settings: GeminiSettings = { ...GEMINI_DEFAULTS };
  const quota = new QuotaBook(clock, settings);
  const files = new FileShelf(clock, settings, ffprobePath, dataDir);
  const parts: GeminiParts = { key: CREDENTIALS.geminiKey, quota, files, clock };
  const routes = [...fileRoutes(parts), ...geminiRoutes(parts)];
  const notFound: SimulatedSystem['notFound'] = () => geminiError(404, 'NOT_FOUND', 'Requested entity was not found.');
  const decorate: SimulatedSystem['decorate'] = (_request, answer) => {
    Object.assign(answer.headers, { 'server-timing': 'gfet4t7; dur=12', vary: 'Origin, X-Origin, Referer' });
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
