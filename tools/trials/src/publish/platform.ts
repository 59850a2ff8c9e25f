import type { Faults } from '../simulation/faults';
import type { SimulatedProcess, World } from '../simulation/virtual-time';
import { INSTAGRAM_PRESETS } from '../../../simulators/src/control/presets/instagram.presets';
import { publishLate } from '../../../simulators/src/instagram/containers';
import type { AccessToken } from '../../../simulators/src/instagram/access-tokens';
import { type Container, type ContainerKind, newGraphId, newShortcode, statusOf } from '../../../simulators/src/instagram/instagram-state';
import { graphInMemory, type MemoryGraph } from '../../../simulators/src/instagram/memory-graph';
import { SimulatedClock } from '../../../simulators/src/server/clock';
import { FURTHER_ACCOUNTS, isShared, keyOf, type Setup } from './setup';

interface PlatformObserver {
  /** Before the platform executes a publish call on an account. */
  onCall(containerId: string, userId: string, caller: SimulatedProcess): Promise<void>;
  /** A publish call took effect, at once or later. */
  onEffect(container: Container): void;
  /** An answer with a media id reached its process. */
  onAnswer(mediaId: string, caller: SimulatedProcess): void;
  violated(sentence: string): void;
}

type Call = 'publish' | 'create' | 'upload' | 'read';
type PresetName = `instagram-${string}`;

/** Faults of a publish call that leave its outcome open; they are drawn most often. */
const OPEN_OUTCOMES: readonly PresetName[] = [
  'instagram-publish-lost',
  'instagram-publish-late',
  'instagram-publish-lost-spam',
  'instagram-publish-lost-500',
  'instagram-publish-lost-transient',
  'instagram-publish-lost-limit',
  'instagram-publish-lost-id',
  'instagram-publish-forgotten',
  'instagram-publish-cut',
  'instagram-publish-slow',
  'instagram-publish-lags',
  'instagram-publish-container-missing',
  'instagram-publish-lost-html',
  'instagram-publish-lost-429',
  'instagram-429',
];
const OTHER_ANSWERS: readonly PresetName[] = [
  'instagram-publish-token-dies',
  'instagram-publish-quota',
  'instagram-publish-duplicate',
  'instagram-spam',
  'instagram-policy-block',
  'instagram-restricted',
  'instagram-permission',
  'instagram-token-expired',
];
const OF_CREATION: readonly PresetName[] = [
  'instagram-create-timeout',
  'instagram-create-server-error',
  'instagram-create-unreachable',
  'instagram-create-lost',
  'instagram-create-slow',
  'instagram-create-token-dies',
  'instagram-container-upload-failed',
  'instagram-container-slow',
  'instagram-container-forgotten',
  'instagram-container-unsupported',
  'instagram-copyright-match',
  'instagram-429',
];
const OF_UPLOAD: readonly PresetName[] = [
  'instagram-upload-refused',
  'instagram-upload-cut',
  'instagram-upload-half',
  'instagram-upload-stalls',
];
const OF_ANY_CALL: readonly PresetName[] = [
  'instagram-rate-app',
  'instagram-rate-user',
  'instagram-rate-business',
  'instagram-unknown',
  'instagram-unavailable',
  'instagram-500-html',
  'instagram-html',
  'instagram-429',
  'instagram-slow',
  'instagram-cut',
  'instagram-restricted',
];

const MINUTE_MS = 60_000;
/** A worker that freezes during a call may continue long after another one has taken its job over. */
const LONG_FREEZE_MS = 20 * MINUTE_MS;
/** Maximum freeze between the last check and the call; mostly longer than the lease. */
const FREEZE_BEFORE_MS = 3 * MINUTE_MS;

/** The simulated Instagram in memory, with its own clock and with faults that the seed selects. Reports requests to the observer. */
export class Platform {
  readonly graph: MemoryGraph;
  /** The called containers, when each was called first, and whether its state was read since its last publish call. */
  private readonly called = new Map<string, { atMs: number; wasRead: boolean }>();
  /** All tokens that were ever issued, by their value. */
  private readonly issued = new Map<string, AccessToken>();
  private readonly refusedAtMs = new Map<string, number>();
  private readonly rates: Record<Call, number>;
  private readonly atCall: { kill: number; freeze: number; freezeBefore: number };

  constructor(
    private readonly world: World,
    private readonly faults: Faults,
    private readonly observer: PlatformObserver,
    private readonly setup: Setup,
  ) {
    const skewMs = world.between(-10, 10) * MINUTE_MS;
    const clock = new (class extends SimulatedClock {
      override now = () => world.nowMs + skewMs;
    })();
    this.graph = graphInMemory(clock, (ms) => new Promise((resolve) => void world.after(ms, () => resolve())));
    this.rates = {
      publish: world.pick([0, 0.3, 0.6]),
      create: world.pick([0, 0.05, 0.2]),
      read: world.pick([0, 0.01, 0.03]),
      upload: world.pick([0, 0.3, 0.6]),
    };
    this.atCall = { kill: world.pick([0, 0.1]), freeze: world.pick([0, 0.1, 0.3]), freezeBefore: world.pick([0, 0, 0.1]) };
    Object.assign(this.graph.parts.settings, {
      listLagMs: world.pick([0, 0, 1, 8, 20]) * MINUTE_MS,
      captionChange: world.pick(['none', 'none', 'spaces', 'emoji']),
      publishQuota: world.pick([6, 10, 50, 50, 50]),
      videoProcessingMs: world.pick([1_500, 40_000]),
      furtherAccounts: FURTHER_ACCOUNTS,
      requireProof: setup.hasSecret && world.chance(0.5),
    });
    const { tokens } = this.graph.parts;
    const add = tokens.add.bind(tokens);
    tokens.add = (...args) => {
      const token = add(...args);
      this.issued.set(token.value, token);
      return token;
    };
    for (const { login, userId, token } of setup.accounts) tokens.add(login, userId, token, TOKEN_LIFE_MS, 2 * DAY_MS);
  }

  /** Gives publish calls as many faults as any seed does, and slows down processing so that posts are prepared in parallel. */
  makeHarsh(): void {
    this.rates.publish = 0.6;
    Object.assign(this.atCall, { kill: 0.1, freeze: 0.3, freezeBefore: 0.3 });
    Object.assign(this.graph.parts.settings, { imageProcessingMs: 40_000, videoProcessingMs: 40_000 });
  }

  /** The `fetch` of the simulated process that is running. */
  readonly fetch = ((input: string, init?: RequestInit) => {
    const { current } = this.world;
    if (current === null) throw new Error(`no process requests ${input}`);
    return this.fetchOf(current)(input, init);
  }) as typeof fetch;

  /** The `fetch` of one process. The network may cut each request, and the process may be killed or frozen with it, most often with publish calls. */
  private fetchOf(process: SimulatedProcess): typeof fetch {
    const { world, faults } = this;
    return ((input: string, init: RequestInit = {}) =>
      new Promise<Response>((resolve, reject) => {
        const isCall = callOf(input, init) === 'publish' && world.elapsedMs < faults.untilMs;
        const cut = (): void => process.enter(() => reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })));
        faults.mayKill(process);
        if (isCall && process.isAlive && world.chance(this.atCall.kill)) faults.kill(process);
        const arrives = process.isAlive && !faults.losesRequest();
        world.after(faults.latencyMs(), () => {
          if (!arrives) return cut();
          if (isCall && world.chance(this.atCall.freeze)) faults.freeze(process, LONG_FREEZE_MS);
          void this.execute(input, init, process).then(
            (response) =>
              world.after(faults.latencyMs(), () => {
                faults.mayKill(process);
                if (isCall && process.isAlive && world.chance(this.atCall.kill)) faults.kill(process);
                const isBeforeCall = isLastRead(input) && world.elapsedMs < faults.untilMs;
                if (isBeforeCall && process.isAlive && world.chance(this.atCall.freezeBefore)) faults.freeze(process, FREEZE_BEFORE_MS);
                faults.mayFreeze(process);
                if (faults.losesAnswer()) cut();
                else process.enter(() => (this.answered(response, process), resolve(response)));
              }),
            () => world.after(0, cut),
          );
        });
      })) as typeof fetch;
  }

  /** The owner of an account connects it again, without restrictions: all of its tokens are accepted. */
  reconnect(userId: string): void {
    const { tokens, settings } = this.graph.parts;
    for (const { flavour, accountId, value } of [...this.issued.values()])
      if (accountId === userId) tokens.add(flavour, accountId, value, TOKEN_LIFE_MS, 2 * DAY_MS);
    if (!this.setup.hasSecret) settings.requireProof = false;
  }

  /** When a request of an account was refused last, in any way. */
  lastRefusalOf(userId: string): number {
    return this.refusedAtMs.get(userId) ?? -Infinity;
  }

  /** The owner of an account publishes something else in the app. */
  publishInApp(userId: string): void {
    const { state, clock } = this.graph.parts;
    const kind = this.world.pick(['STORIES', 'STORIES', 'REELS', 'IMAGE'] as const);
    const caption = kind === 'STORIES' ? null : 'From the app';
    state.published.push({
      ...{ id: newGraphId(), accountId: userId, containerId: '', kind, caption, shortcode: newShortcode(), publishedAt: clock.now() },
      ...{ shareToFeed: true, copyrightMatch: false, options: {}, comments: [], files: [], cover: null },
    });
  }

  isFromApp(mediaId: string | null): boolean {
    return this.graph.parts.state.published.some(({ id, containerId }) => id === mediaId && containerId === '');
  }

  /** What the product published, by the address of the files. */
  published(): PublishedPost[] {
    publishLate(this.graph.parts);
    const ofProduct = this.graph.parts.state.published.filter(({ containerId }) => containerId !== '');
    return ofProduct.map((item) => ({
      key: keyOf(item.files[0]?.path ?? ''),
      kind: item.kind,
      userId: item.accountId,
      files: item.files.map(({ path }) => keyOf(path)),
      mediaId: item.id,
      caption: item.caption,
      atMs: item.publishedAt,
    }));
  }

  counts(): { uploaded: number; expired: number } {
    const { state, clock } = this.graph.parts;
    const all = [...state.containers.values()];
    const isUploaded = ({ upload, children }: Container): boolean =>
      upload !== null || children.some((id) => (state.containers.get(id)?.upload ?? null) !== null);
    const published = all.filter(({ publishedMediaId }) => publishedMediaId !== null);
    return {
      uploaded: published.filter(isUploaded).length,
      expired: all.filter((one) => !one.carouselItem && statusOf(one, clock.now()) === 'EXPIRED').length,
    };
  }

  /** The posts that the accounts show to their owners now, expired stories included, because owners see these in the archive. */
  shown(): PublishedPost[] {
    const { clock, settings } = this.graph.parts;
    return this.published().filter(({ atMs }) => atMs <= clock.now() - settings.listLagMs);
  }

  private async execute(input: string, init: RequestInit, process: SimulatedProcess): Promise<Response> {
    const { graph, world, faults } = this;
    const { parts } = graph;
    const url = new URL(input);
    const call = callOf(input, init);
    const request = call === 'upload' ? { ...init, body: await world.hold(() => collected(init.body as unknown as Chunks)) } : init;
    const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : url.search);
    const token = this.tokenOf(url, init, fields);
    graph.faults.reset();
    if (world.elapsedMs < faults.untilMs && world.chance(this.rates[call])) this.addFault(call);
    if (call === 'create') this.checkCreation(this.keyOfRequest(fields));
    if (call === 'upload' && Buffer.isBuffer(request.body)) this.checkUpload(url, headersOf(init), request.body);
    if (call !== 'publish') {
      const read = url.pathname.split('/').at(-1) ?? '';
      const known = this.called.get(read);
      if (known !== undefined) known.wasRead = true;
      return this.noted(token, await graph.fetch(input, request));
    }
    const id = fields.get('creation_id') ?? '';
    const before = this.called.get(id);
    if (before?.wasRead === false) this.observer.violated(`container ${id} was called again although its state was not read since`);
    this.called.set(id, { atMs: before?.atMs ?? parts.clock.now(), wasRead: false });
    const matched = [...graph.faults.list()];
    await this.observer.onCall(id, token?.accountId ?? '', process);
    const container = parts.state.containers.get(id);
    const wasOut = hasEffect(container);
    graph.faults.reset();
    for (const { fault, preset } of matched) graph.faults.add(fault, preset);
    try {
      return this.noted(token, await graph.fetch(input, request));
    } finally {
      if (container !== undefined && !wasOut && hasEffect(container)) this.observer.onEffect(container);
    }
  }

  /** The token of a request, which has to go to the host of its login, with a proof where that is known. */
  private tokenOf({ host, pathname }: URL, init: RequestInit, fields: URLSearchParams): AccessToken | null {
    const [, value = ''] = /^(?:Bearer|OAuth) (.*)$/.exec(headersOf(init).authorization ?? '') ?? [];
    const token = this.issued.get(value) ?? null;
    if (token === null) return null;
    if (!HOSTS[token.flavour].includes(host)) this.observer.violated(`a token of ${token.flavour} went to ${host}`);
    const needsProof = token.flavour === 'facebook' && this.setup.hasSecret && host === HOSTS.facebook[0];
    if (needsProof && !fields.has('appsecret_proof')) this.observer.violated(`${pathname} was called without a proof of the application`);
    return token;
  }

  private noted(token: AccessToken | null, response: Response): Response {
    if (token !== null && response.status >= 400) this.refusedAtMs.set(token.accountId, this.world.elapsedMs);
    return response;
  }

  private addFault(call: Call): void {
    const { world, graph } = this;
    const names = {
      publish: world.chance(0.85) ? OPEN_OUTCOMES : OTHER_ANSWERS,
      create: OF_CREATION,
      upload: OF_UPLOAD,
      read: OF_ANY_CALL,
    }[call];
    const name = world.pick(names);
    const fault = INSTAGRAM_PRESETS[name]?.fault;
    if (fault === undefined) throw new Error(`there is no preset ${name}`);
    const late = name === 'instagram-publish-late' ? { behaviour: `publish_late_${world.between(30, 900)}` } : {};
    graph.faults.add({ ...fault, ...late, match: { ...fault.match, times: 1 } }, name);
  }

  /** A container that was called may be published until Instagram has given it up: another one would publish the post twice. */
  private checkCreation(key: string, madeAtMs = this.graph.parts.clock.now()): void {
    const { clock } = this.graph.parts;
    for (const [id, { atMs }] of this.called) {
      const container = this.graph.parts.state.containers.get(id);
      if (madeAtMs < atMs || container === undefined || key === '' || isShared(key) || this.keyOfContainer(container) !== key) continue;
      const status = statusOf(container, clock.now());
      if (status !== 'EXPIRED' && status !== 'ERROR')
        this.observer.violated(`${key} got another container while container ${container.id} was ${status} after a publish call`);
    }
  }

  /** The first file of a container request. Empty for a file of a gallery, because only the gallery is published, and for an upload. */
  private keyOfRequest(fields: URLSearchParams): string {
    if (fields.has('is_carousel_item')) return '';
    const [child] = (fields.get('children') ?? '').split(',');
    return child ? this.keyOfFile(child) : keyOf(fields.get('video_url') ?? fields.get('image_url') ?? '');
  }

  /** The first bytes of an upload tell which post its container is for. A frozen worker may upload to one that it made before another one called. */
  private checkUpload({ pathname }: URL, { offset }: Record<string, string>, body: Buffer): void {
    const container = this.graph.parts.state.containers.get(pathname.split('/').at(-1) ?? '');
    if (offset !== '0' || container === undefined || container.carouselItem) return;
    this.checkCreation(keyOf(body.toString().split('\0')[0] ?? ''), container.createdAt);
  }

  private keyOfFile(containerId: string): string {
    const { sourceUrl, file } = this.graph.parts.state.containers.get(containerId) ?? {};
    return keyOf(sourceUrl ?? file?.path ?? '');
  }

  /** The post that a container is for. */
  keyOfContainer({ id, children: [first] }: Container): string {
    return this.keyOfFile(first ?? id);
  }

  private answered(response: Response, process: SimulatedProcess): void {
    const [body] = response.body as unknown as Buffer[];
    const id = response.status === 200 ? (/^\{"id":"(\d+)"\}$/.exec(String(body)) ?? [])[1] : undefined;
    if (id !== undefined && this.graph.parts.state.published.some((item) => item.id === id)) this.observer.onAnswer(id, process);
  }
}

interface PublishedPost {
  key: string;
  kind: ContainerKind;
  /** The account that it is on. */
  userId: string;
  files: string[];
  mediaId: string;
  caption: string | null;
  atMs: number;
}

const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longer than any episode. */
const TOKEN_LIFE_MS = 60 * DAY_MS;
/** The only hosts that the contract allows for the requests of each login. */
const HOSTS: Record<AccessToken['flavour'], readonly string[]> = {
  facebook: ['graph.facebook.com', 'rupload.facebook.com'],
  instagram: ['graph.instagram.com'],
};

type Chunks = AsyncIterable<Uint8Array>;

const headersOf = ({ headers }: RequestInit): Record<string, string> => headers as Record<string, string>;

async function collected(body: Chunks): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function callOf(input: string, { method }: RequestInit): Call {
  if (method !== 'POST') return 'read';
  if (input.includes('/ig-api-upload/')) return 'upload';
  return input.endsWith('/media_publish') ? 'publish' : 'create';
}

/** The quota, which is read right before a publish call. */
const isLastRead = (input: string): boolean => input.includes('/content_publishing_limit');

const hasEffect = (container: Container | undefined): boolean =>
  container !== undefined && (container.publishedMediaId !== null || container.publishAt !== undefined);
