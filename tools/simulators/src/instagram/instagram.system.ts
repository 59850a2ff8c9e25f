import { join } from 'node:path';
import { CREDENTIALS } from '../credentials';
import type { MediaLibrary } from '../media/media-library';
import type { SimulatedClock } from '../server/clock';
import type { SimResponse } from '../server/http';
import { DAY_MS, RequestWindow } from '../server/limits';
import { type Simulation, system } from '../server/sim-server';
import { AccessTokens, SIXTY_DAYS_MS } from './access-tokens';
import { publishLate, serveFiles } from './containers';
import { serveOtherAccounts } from './discovery';
import { type InstagramParts, usageHeaders } from './graph-call';
import { graphRoutes } from './graph.routes';
import { INSTAGRAM_DEFAULTS, type InstagramSettings, InstagramState } from './instagram-state';
import { mediaFields } from './media-fields';
import { MediaInspector } from './media-inspector';
import { uploadRoutes, uploadsIn } from './upload.routes';

interface InstagramOptions {
  dataDir: string;
  ffprobePath: string;
  library: MediaLibrary;
  clock: SimulatedClock;
  /** Hosts from which media may be fetched. */
  allowedHosts: ReadonlySet<string>;
  mediaOrigin: () => string;
  uploadOrigin: () => string;
}

export interface InstagramSimulation extends Simulation<InstagramSettings> {
  ledger(): PublishLedger;
  /** Revokes the product's tokens or issues them for sixty days. */
  setTokens(inForce: boolean): void;
  clear(): void;
}

export const DEMO_ACCOUNT = {
  id: CREDENTIALS.instagramAccountId,
  appScopedId: '25000000000000042',
  username: 'autoposter.demo',
  name: 'Autoposter Demo',
  followers: 1_280,
};

/** Another account, to be connected through a login. */
const SECOND_ACCOUNT = {
  id: '17841400000000043',
  appScopedId: '25000000000000043',
  username: 'autoposter.second',
  name: 'Autoposter Second',
  followers: 310,
};

/** The accounts of the demo, and as many others as the settings state. */
export function accountsOf({ furtherAccounts }: Pick<InstagramSettings, 'furtherAccounts'>): InstagramParts['accounts'] {
  const further = Array.from({ length: furtherAccounts }, (_, index) => {
    const number = String(44 + index).padStart(5, '0');
    const username = `autoposter.${index + 3}`;
    return { id: `178414000000${number}`, appScopedId: `250000000000${number}`, username, name: username, followers: 0 };
  });
  return [DEMO_ACCOUNT, SECOND_ACCOUNT, ...further];
}

export function simulateInstagram(options: InstagramOptions): InstagramSimulation {
  const { dataDir, ffprobePath, library, clock, allowedHosts, mediaOrigin, uploadOrigin } = options;
  const folder = join(dataDir, 'instagram');
  const account = DEMO_ACCOUNT;
  const settings: InstagramSettings = { ...INSTAGRAM_DEFAULTS };
  const usage = new RequestWindow(clock, DAY_MS, () => settings.callsPerDay);
  const parts: InstagramParts = {
    account,
    get accounts() {
      return accountsOf(settings);
    },
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
  parts.state.published.forEach((item) => serveFiles(library, item));
  serveOtherAccounts(library);
  library.add('picture', `${account.username}.jpg`, { scene: 'rosette', seed: account.username, width: 320, height: 320, format: 'jpeg' });
  const setTokens = (inForce: boolean): void => {
    if (inForce) issueTokens(parts);
    else [CREDENTIALS.facebookToken, CREDENTIALS.instagramToken].forEach((value) => parts.tokens.revoke(value));
  };
  setTokens(true);
  const decorate = ({ headers }: SimResponse): void =>
    void Object.assign(headers, usageHeaders(usage, settings.callsPerDay, account.id), { 'facebook-api-version': 'v26.0' });
  return {
    settings,
    systems: [
      system('instagram-graph', graphRoutes(parts, usage), { decorate }),
      system('instagram-upload', uploadRoutes(parts, uploadsIn(join(folder, 'uploads'))), { bodyLimitBytes: 310_000_000 }),
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

/** Issued two days ago, so that they can be refreshed immediately. */
export function issueTokens({ tokens, account }: InstagramParts): void {
  tokens.add('facebook', account.id, CREDENTIALS.facebookToken, SIXTY_DAYS_MS, 2 * DAY_MS);
  tokens.add('instagram', account.id, CREDENTIALS.instagramToken, SIXTY_DAYS_MS, 2 * DAY_MS);
}

/** Published media, for tests and the demo. */
export interface PublishLedger {
  account: { id: string; username: string };
  /** Calls of `media_publish`, including rejected ones. */
  publishCalls: number;
  /** The same by container. */
  callsOf: Record<string, number>;
  containersMade: number;
  published: LedgerEntry[];
}

export interface LedgerEntry {
  mediaId: string;
  containerId: string;
  accountId: string;
  caption: string | null;
  mediaType: string;
  mediaProductType: string;
  permalink: string;
  publishedAt: string;
  /** Of the first file. */
  sha256: string | null;
  bytes: number | null;
  files: { sha256: string; bytes: number; contentType: string }[];
  /** The picture that was fetched as cover. */
  cover: { sha256: string; bytes: number } | null;
  /** Parameters of the post that change how it appears, as they were sent. */
  options: Record<string, string>;
  comments: string[];
}

export function ledgerOf(parts: InstagramParts): PublishLedger {
  publishLate(parts);
  const { account, state } = parts;
  return {
    account: { id: account.id, username: account.username },
    publishCalls: state.publishCalls,
    callsOf: Object.fromEntries([...state.containers.values()].flatMap(({ id, publishCalls: calls }) => (calls ? [[id, calls]] : []))),
    containersMade: state.containers.size,
    published: state.published.map((item) => {
      const fields = mediaFields(parts, item);
      const files = item.files.map(({ sha256, bytes, contentType }) => ({ sha256, bytes, contentType }));
      return {
        mediaId: item.id,
        containerId: item.containerId,
        accountId: item.accountId,
        caption: item.caption,
        mediaType: String(fields.media_type),
        mediaProductType: String(fields.media_product_type),
        permalink: String(fields.permalink),
        publishedAt: new Date(item.publishedAt).toISOString(),
        sha256: files[0]?.sha256 ?? null,
        bytes: files[0]?.bytes ?? null,
        files,
        cover: item.cover,
        options: item.options,
        comments: item.comments.map(({ text }) => text),
      };
    }),
  };
}
