import { createHash } from 'node:crypto';
import { FaultInjector } from '../control/faults';
import { CREDENTIALS } from '../credentials';
import { MediaLibrary } from '../media/media-library';
import type { SimulatedClock } from '../server/clock';
import { notFound, type SimRequest } from '../server/http';
import { DAY_MS, RequestWindow } from '../server/limits';
import { answerWithFault, runHandler } from '../server/sim-server';
import { AccessTokens } from './access-tokens';
import type { InstagramParts } from './graph-call';
import { graphRoutes } from './graph.routes';
import { INSTAGRAM_DEFAULTS, InstagramState } from './instagram-state';
import { accountsOf, DEMO_ACCOUNT, issueTokens, ledgerOf } from './instagram.system';
import type { MediaFacts } from './media-rules';
import { type PartialUploads, uploadRoutes } from './upload.routes';

const ORIGIN = 'http://graph.example.test';

export interface MemoryGraph {
  origin: string;
  parts: InstagramParts;
  faults: FaultInjector;
  /** As `fetch`, to the routes of the simulated Graph API and its uploads; rejects where the connection is cut. */
  fetch: typeof fetch;
  ledger(): ReturnType<typeof ledgerOf>;
  setTokens(inForce: boolean): void;
}

/**
 * The simulated Graph API and its uploads with their faults in the memory of this process, without server, files or ffprobe: every media
 * address is reachable and names a valid file. `wait` is the delay of faults.
 */
export function graphInMemory(clock: SimulatedClock, wait: (ms: number) => Promise<void>): MemoryGraph {
  const settings = { ...INSTAGRAM_DEFAULTS };
  const parts: InstagramParts = {
    account: DEMO_ACCOUNT,
    get accounts() {
      return accountsOf(settings);
    },
    tokens: new AccessTokens(clock),
    state: new InstagramState(null),
    settings,
    inspector: {
      fetch: (address) => Promise.resolve({ file: fileAt(address) }),
      // an uploaded file begins with its name
      keep: (content) => Promise.resolve(fileAt((content.toString().split('\0')[0] ?? '').trimEnd())),
    },
    library: new MediaLibrary(),
    clock,
    app: { id: CREDENTIALS.instagramAppId, secret: CREDENTIALS.instagramAppSecret },
    usedCodes: new Set(),
    mediaOrigin: () => ORIGIN,
    uploadOrigin: () => ORIGIN,
  };
  const faults = new FaultInjector();
  const graph = graphRoutes(parts, new RequestWindow(clock, DAY_MS, () => settings.callsPerDay));
  const uploads = uploadRoutes(parts, uploadsInMemory());
  const setTokens = (inForce: boolean): void => {
    if (inForce) issueTokens(parts);
    else [CREDENTIALS.facebookToken, CREDENTIALS.instagramToken].forEach((value) => parts.tokens.revoke(value));
  };
  setTokens(true);
  const send = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    const method = init.method ?? 'GET';
    const [, container] = /^\/ig-api-upload\/[^/]+\/([^/]+)$/.exec(url.pathname) ?? [];
    const system = container === undefined ? 'instagram-graph' : 'instagram-upload';
    const matched = faults.match(system, method, url.pathname + url.search);
    const request: SimRequest = {
      system,
      method,
      path: url.pathname,
      params: container === undefined ? {} : { container },
      query: url.searchParams,
      headers: init.headers as Record<string, string>,
      body: Buffer.from((init.body as string | Buffer | undefined) ?? ''),
      origin: ORIGIN,
      behaviours: new Set(matched?.fault.behaviour ? [matched.fault.behaviour] : []),
    };
    const route = (container === undefined ? graph : uploads).find((candidate) => candidate.method === method);
    const { status, headers, body } = await answerWithFault(matched, () => runHandler({ notFound }, request, route), wait);
    if (matched?.fault.cut !== undefined) throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    // a real stream would settle outside of the clock of its caller
    return { status, headers: new Headers(headers), body: [Buffer.from(body as string)] } as unknown as Response;
  };
  return { origin: ORIGIN, parts, faults, fetch: send as typeof fetch, ledger: () => ledgerOf(parts), setTokens };
}

function uploadsInMemory(): PartialUploads {
  const partial = new Map<string, Buffer>();
  const bytesOf = (container: string): Buffer => partial.get(container) ?? Buffer.alloc(0);
  return {
    sizeOf: (container) => Promise.resolve(bytesOf(container).length),
    append: (container, bytes) => Promise.resolve(void partial.set(container, Buffer.concat([bytesOf(container), bytes]))),
    take(container) {
      const bytes = bytesOf(container);
      partial.delete(container);
      return Promise.resolve(bytes);
    },
  };
}

const VIDEO: MediaFacts = {
  kind: 'video',
  format: 'mov,mp4',
  bytes: 1_000_000,
  width: 1080,
  height: 1920,
  videoCodec: 'h264',
  pixelFormat: 'yuv420p',
  fps: 30,
  seconds: 12,
  bitrate: 3_000_000,
  audio: null,
  moovFirst: true,
  progressive: true,
  editLists: false,
};
const IMAGE: MediaFacts = { ...VIDEO, kind: 'image', format: 'jpeg', height: 1080 };

const fileAt = (address: string) => ({
  path: address,
  sha256: createHash('sha256')
    .update(address.split('?')[0] ?? '')
    .digest('hex'),
  bytes: VIDEO.bytes,
  facts: address.includes('.jpg') ? IMAGE : VIDEO,
});
