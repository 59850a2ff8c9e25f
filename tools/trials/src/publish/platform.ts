import type { Faults } from '../simulation/faults';
import type { SimulatedProcess, World } from '../simulation/virtual-time';
import { INSTAGRAM_PRESETS } from '../../../simulators/src/control/presets/instagram.presets';
import { CREDENTIALS } from '../../../simulators/src/credentials';
import { publishLate } from '../../../simulators/src/instagram/containers';
import { type Container, statusOf } from '../../../simulators/src/instagram/instagram-state';
import { graphInMemory, type MemoryGraph } from '../../../simulators/src/instagram/memory-graph';
import { SimulatedClock } from '../../../simulators/src/server/clock';

interface PlatformObserver {
  /** Before the platform executes a publish call. */
  onCall(containerId: string, caller: SimulatedProcess): Promise<void>;
  /** A publish call took effect, at once or later. */
  onEffect(container: Container): void;
  /** An answer with a media id reached its process. */
  onAnswer(mediaId: string, caller: SimulatedProcess): void;
  violated(sentence: string): void;
}

type Call = 'publish' | 'create' | 'read';
type PresetName = `instagram-${string}`;

/** Faults of a publish call, with the ones most often that leave its outcome open. */
const OPEN_OUTCOMES: readonly PresetName[] = [
  ...(['instagram-publish-lost', 'instagram-publish-late', 'instagram-publish-lost-spam', 'instagram-publish-lost-500'] as const),
  ...([
    'instagram-publish-lost-transient',
    'instagram-publish-lost-limit',
    'instagram-publish-lost-id',
    'instagram-publish-forgotten',
  ] as const),
  ...(['instagram-publish-cut', 'instagram-publish-slow', 'instagram-publish-lags', 'instagram-publish-container-missing'] as const),
];
const OTHER_ANSWERS: readonly PresetName[] = [
  ...(['instagram-publish-token-dies', 'instagram-publish-quota', 'instagram-publish-duplicate', 'instagram-spam'] as const),
  ...(['instagram-policy-block', 'instagram-restricted', 'instagram-permission', 'instagram-token-expired'] as const),
];
const OF_CREATION: readonly PresetName[] = [
  ...(['instagram-create-timeout', 'instagram-create-server-error', 'instagram-create-unreachable', 'instagram-create-lost'] as const),
  ...(['instagram-create-slow', 'instagram-create-token-dies', 'instagram-container-upload-failed', 'instagram-container-slow'] as const),
  ...(['instagram-container-forgotten', 'instagram-container-unsupported', 'instagram-copyright-match'] as const),
];
const OF_ANY_CALL: readonly PresetName[] = [
  ...(['instagram-rate-app', 'instagram-rate-user', 'instagram-rate-business', 'instagram-unknown', 'instagram-unavailable'] as const),
  ...(['instagram-500-html', 'instagram-html', 'instagram-slow', 'instagram-cut', 'instagram-restricted'] as const),
];

const MINUTE_MS = 60_000;
/** A worker that is frozen in a call may wake up long after others have taken its job over. */
const LONG_FREEZE_MS = 20 * MINUTE_MS;

/** Instagram as the simulators serve it, in memory, on a clock of its own, with faults that the seed selects. Reports what reaches it. */
export class Platform {
  readonly graph: MemoryGraph;
  /** Publish calls by container, and whether its state was read since the last one. */
  private readonly calls = new Map<string, { count: number; wasRead: boolean }>();
  private readonly rates: Record<Call, number>;
  private readonly atCall: { kill: number; freeze: number };

  constructor(
    private readonly world: World,
    private readonly faults: Faults,
    private readonly observer: PlatformObserver,
  ) {
    const skewMs = world.between(-10, 10) * MINUTE_MS;
    const clock = new (class extends SimulatedClock {
      override now = () => world.nowMs + skewMs;
    })();
    this.graph = graphInMemory(clock, (ms) => new Promise((resolve) => void world.after(ms, () => resolve())));
    this.rates = { publish: world.pick([0, 0.3, 0.6]), create: world.pick([0, 0.05, 0.2]), read: world.pick([0, 0.01, 0.03]) };
    this.atCall = { kill: world.pick([0, 0.1]), freeze: world.pick([0, 0.1, 0.3]) };
    Object.assign(this.graph.parts.settings, {
      listLagMs: world.pick([0, 0, 1, 8, 20]) * MINUTE_MS,
      captionChange: world.pick(['none', 'none', 'spaces', 'emoji']),
      publishQuota: world.pick([10, 50]),
      videoProcessingMs: world.pick([1_500, 40_000]),
    });
  }

  /** The requests of one process, over a network that may cut them, from a process that may die or freeze with each, publish calls above all. */
  fetchOf(process: SimulatedProcess): typeof fetch {
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
                faults.mayFreeze(process);
                if (faults.losesAnswer()) cut();
                else process.enter(() => (this.answered(response, process), resolve(response)));
              }),
            () => world.after(0, cut),
          );
        });
      })) as typeof fetch;
  }

  /** The owner of the account connects it again, without restrictions. */
  reconnect(): void {
    this.graph.setTokens(true);
    this.graph.parts.settings.requireProof = false;
  }

  /** Published media by the address of their file, whoever published them. */
  published(): { key: string; mediaId: string; caption: string | null; atMs: number }[] {
    publishLate(this.graph.parts);
    return this.graph.parts.state.published.map((item) => ({
      key: keyOf(item.files[0]?.path ?? ''),
      mediaId: item.id,
      caption: item.caption,
      atMs: item.publishedAt,
    }));
  }

  /** What the account shows now. */
  shown(): ReturnType<Platform['published']> {
    const { clock, settings } = this.graph.parts;
    return this.published().filter(({ atMs }) => atMs <= clock.now() - settings.listLagMs);
  }

  private async execute(input: string, init: RequestInit, process: SimulatedProcess): Promise<Response> {
    const { graph, world, faults } = this;
    const { parts } = graph;
    const url = new URL(input);
    const call = callOf(input, init);
    const fields = new URLSearchParams(call === 'read' ? url.search : (init.body as string));
    graph.faults.reset();
    if (world.elapsedMs < faults.untilMs && world.chance(this.rates[call])) this.addFault(call);
    if (call === 'create') this.checkCreation(fields);
    if (call !== 'publish') {
      const read = this.calls.get(url.pathname.split('/').at(-1) ?? '');
      if (read !== undefined) read.wasRead = true;
      return graph.fetch(input, init);
    }
    const id = fields.get('creation_id') ?? '';
    const known = this.calls.get(id);
    if (known?.wasRead === false) this.observer.violated(`container ${id} was called again although its state was not read since`);
    this.calls.set(id, { count: (known?.count ?? 0) + 1, wasRead: false });
    const matched = [...graph.faults.list()];
    await this.observer.onCall(id, process);
    const container = parts.state.containers.get(id);
    const wasOut = hasEffect(container);
    graph.faults.reset();
    for (const { fault, preset } of matched) graph.faults.add(fault, preset);
    try {
      return await graph.fetch(input, init);
    } finally {
      if (container !== undefined && !wasOut && hasEffect(container)) this.observer.onEffect(container);
    }
  }

  private addFault(call: Call): void {
    const { world, graph } = this;
    const names = { publish: world.chance(0.85) ? OPEN_OUTCOMES : OTHER_ANSWERS, create: OF_CREATION, read: OF_ANY_CALL }[call];
    const name = world.pick(names);
    const fault = INSTAGRAM_PRESETS[name]?.fault;
    if (fault === undefined) throw new Error(`there is no preset ${name}`);
    const late = name === 'instagram-publish-late' ? { behaviour: `publish_late_${world.between(30, 900)}` } : {};
    graph.faults.add({ ...fault, ...late, match: { ...fault.match, times: 1 } }, name);
  }

  /** A container that was called may be published until Instagram has given it up: another one would publish the post twice. */
  private checkCreation(fields: URLSearchParams): void {
    const { state, clock } = this.graph.parts;
    const key = keyOf(fields.get('video_url') ?? fields.get('image_url') ?? '');
    for (const container of state.containers.values()) {
      if (keyOf(container.sourceUrl ?? '') !== key || !this.calls.has(container.id) || isShared(key)) continue;
      const status = statusOf(container, clock.now());
      if (status !== 'EXPIRED' && status !== 'ERROR')
        this.observer.violated(`${key} got another container while container ${container.id} was ${status} after a publish call`);
    }
  }

  private answered(response: Response, process: SimulatedProcess): void {
    const [body] = response.body as unknown as Buffer[];
    const id = response.status === 200 ? (/^\{"id":"(\d+)"\}$/.exec(String(body)) ?? [])[1] : undefined;
    if (id !== undefined && this.graph.parts.state.published.some((item) => item.id === id)) this.observer.onAnswer(id, process);
  }
}

const callOf = (input: string, { method }: RequestInit): Call =>
  method !== 'POST' ? 'read' : input.endsWith('/media_publish') ? 'publish' : 'create';

const hasEffect = (container: Container | undefined): boolean =>
  container !== undefined && (container.publishedMediaId !== null || container.publishAt !== undefined);

/** Name of the stored file, which identifies a post. */
export const keyOf = (address: string): string => (address.split('?')[0] ?? '').split('/').at(-1) ?? '';

/** Files of two items with the same content and caption: each alone may be published. */
export const isShared = (key: string): boolean => key.startsWith('shared-');

export const ACCOUNT_ID = CREDENTIALS.instagramAccountId;
export const ACCESS_TOKEN = CREDENTIALS.facebookToken;
