import { join } from 'node:path';
import { CREDENTIALS } from '../credentials';
import type { MediaLibrary } from '../media/media-library';
import type { SimulatedClock } from '../server/clock';
import { system, type SimulatedSystem } from '../simulated-system';
import { AccessTokens, SIXTY_DAYS_MS } from './access-tokens';
import { offerNeighbours } from './discovery';
import { graphRoutes } from './graph.routes';
import { INSTAGRAM_DEFAULTS, type InstagramSettings } from './instagram-settings';
import { InstagramState } from './instagram-state';
import type { InstagramParts } from './instagram-parts';
import { ledgerOf, type PublishLedger } from './publish-ledger';
import { MediaInspector } from './media-inspector';
import { offerFiles } from './publish-container';
import { uploadRoutes } from './upload.routes';
import { UsageMeter } from './usage-meter';

export interface InstagramOptions {
  dataDir: string;
  ffprobePath: string;
  library: MediaLibrary;
  clock: SimulatedClock;
  /** Hosts that the simulated fetcher may ask. */
  allowedHosts: ReadonlySet<string>;
  mediaOrigin: () => string;
  uploadOrigin: () => string;
}

export interface InstagramSimulation {
  settings: InstagramSettings;
  systems: SimulatedSystem[];
  ledger(): PublishLedger;
  /** Takes the product's tokens out of force, or puts them back with sixty days. */
  setTokens(inForce: boolean): void;
  clear(): void;
  reset(): void;
}

const TWO_DAYS_MS = 2 * 86_400_000;

export function simulateInstagram(options: InstagramOptions): InstagramSimulation {
  const { dataDir, ffprobePath, library, clock, allowedHosts, mediaOrigin, uploadOrigin } = options;
  const folder = join(dataDir, 'instagram');
  const account = {
    id: CREDENTIALS.instagramAccountId,
    appScopedId: '25000000000000042',
    username: 'autoposter.demo',
    name: 'Autoposter Demo',
    followers: 1_280,
  };
  const settings: InstagramSettings = { ...INSTAGRAM_DEFAULTS };
  const usage = new UsageMeter(clock, settings, account.id);
  const parts: InstagramParts = {
    account,
    tokens: new AccessTokens(clock),
    state: new InstagramState(join(folder, 'state.json')),
    settings,
    inspector: new MediaInspector(join(folder, 'files'), ffprobePath, allowedHosts),
    library,
    clock,
    app: { id: CREDENTIALS.instagramAppId, secret: CREDENTIALS.instagramAppSecret },
    usedCodes: new Set(),
    mediaOrigin,
    uploadOrigin,
  };
  parts.state.published.forEach((item) => offerFiles(library, item));
  offerNeighbours(library);
  library.addPicture(`${account.username}.jpg`, { scene: 'rosette', seed: account.username, width: 320, height: 320, format: 'jpeg' });
  const setTokens = (inForce: boolean): void => {
    if (inForce) issueTokens(parts);
    else [CREDENTIALS.facebookToken, CREDENTIALS.instagramToken].forEach((value) => parts.tokens.revoke(value));
  };
  setTokens(true);
  const decorate: SimulatedSystem['decorate'] = (_request, answer) => {
    Object.assign(answer.headers, usage.headers(), { 'facebook-api-version': 'v26.0' });
  };
  return {
    settings,
    systems: [
      system('instagram-graph', graphRoutes(parts, usage), { decorate }),
      system('instagram-upload', uploadRoutes(parts, join(folder, 'uploads')), { bodyLimitBytes: 310_000_000 }),
    ],
    ledger: () => ledgerOf(parts),
    setTokens,
    clear: () => parts.state.clear(),
    reset: () => {
      Object.assign(settings, INSTAGRAM_DEFAULTS);
      usage.reset();
      parts.usedCodes.clear();
      setTokens(true);
    },
  };
}

/** Two days old, so that they may be renewed at once. */
function issueTokens({ tokens, account }: InstagramParts): void {
  tokens.add('facebook', account.id, CREDENTIALS.facebookToken, SIXTY_DAYS_MS, TWO_DAYS_MS);
  tokens.add('instagram', account.id, CREDENTIALS.instagramToken, SIXTY_DAYS_MS, TWO_DAYS_MS);
}
