import path from 'node:path';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { readProcessSettings } from '@autoposter/config';
import { LocalStore } from '@autoposter/object-store';
import type { Database } from '@autoposter/persistence';
import { anItem, fileFields, freePort, type PostgresServer } from '@autoposter/testkit';
import { launchService, SHORT_WAITS, startSystems } from '../product/fast-product';
import { productEnvironment, type Program, type RunningSimulators } from '../product/program';
import { SignedInAdmin } from '../product/signed-in-admin';

const PICTURE = { width: 480, height: 600 };
/** Longer than a late publish takes (6 s), so that what appears late is not called absent. */
const RECONCILE_ABSENT_SECONDS = '12';

/** A process of the product that is started again whenever it was killed. */
export interface Place {
  readonly service: 'gateway' | 'instagram-poster';
  readonly env: Record<string, string>;
  /** Of the workspace whose program it is, if that is a copy. */
  readonly root: string | undefined;
  program: Program;
  isBusy: boolean;
}

/** Two gateways and two publishing workers as processes, over a real PostgreSQL and the simulated Instagram. */
export class RealProduct {
  private constructor(
    readonly database: Database,
    readonly simulators: RunningSimulators,
    readonly places: readonly Place[],
    private readonly token: string,
    private readonly store: LocalStore,
    private readonly folder: string,
  ) {}

  /** The publishing workers may be those of a copy of the workspace. */
  static async start(postgres: PostgresServer, folder: string, posterRoot?: string): Promise<RealProduct> {
    const { url, database, simulators } = await startSystems(postgres, folder, { backlogLimit: 100_000 });
    const first = productEnvironment(simulators, url, folder, await freePort());
    const own = { RECONCILE_ABSENT_SECONDS, DATABASE_POOL_SIZE: '4', CDN_BASE_URL: first.PUBLIC_URL, SCHEDULERS_START: 'true' };
    const shared = { ...first, ...SHORT_WAITS, ...own };
    const second = { ...shared, PORT: String(await freePort()) };
    const places: Place[] = [];
    for (const [service, env] of [
      ['gateway', shared],
      ['gateway', second],
      ['instagram-poster', shared],
      ['instagram-poster', shared],
    ] as const) {
      const root = service === 'instagram-poster' ? posterRoot : undefined;
      places.push({ service, env, root, program: await launchService(service, env, null, root), isBusy: false });
    }
    const google = new URL(simulators.env.GOOGLE_AUTHORIZATION_URL ?? first.PUBLIC_URL).origin;
    const { token } = await SignedInAdmin.signIn({ gateway: first.PUBLIC_URL, google });
    return new RealProduct(database, simulators, places, token, new LocalStore({ folder: path.join(folder, 'objects') }), folder);
  }

  /** Processed items that share a picture and differ by their captions; returns the captions by item. */
  async createPosts(count: number): Promise<Map<string, string>> {
    const file = path.join(this.folder, 'picture.jpg');
    const { ffmpegPath } = readProcessSettings();
    const source = `testsrc2=s=${PICTURE.width}x${PICTURE.height}`;
    await promisify(execFile)(ffmpegPath, ['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '1', file]);
    const bytes = await readFile(file);
    const stored = await this.store.put('processed', Readable.from([bytes]), 'image/jpeg', 'jpg');
    const fields = { objectKey: stored.key, sha256: stored.sha256, bytes: bytes.length, fileName: 'picture.jpg' };
    const captions = new Map<string, string>();
    for (let n = 1; n <= count; n += 1) {
      const caption = `Post ${n} of the trial.`;
      await this.database.unitOfWork(async (uow) => {
        const item = await anItem(uow, { state: 'ready', sourceId: `real${n}`, postType: 'image', mediaType: 'image' });
        const form = { mediaType: 'image', contentType: 'image/jpeg', durationSeconds: null, hasAudio: null, ...PICTURE } as const;
        await uow.media.replace(item.id, 'processed', [fileFields({ ...form, ...fields })]);
        await uow.captions.save({ itemId: item.id, caption, hashtags: [], captionModel: 'offline' });
        captions.set(item.id, caption);
      });
    }
    return captions;
  }

  /** A request to whichever gateway answers; the answer of the product, also a refusal. */
  async request(method: string, route: string, body?: unknown): Promise<{ status: number; text: string }> {
    for (let attempt = 0; attempt < 120; attempt += 1) {
      const { env } = this.places[attempt % 2] as Place;
      try {
        const response = await fetch(`http://127.0.0.1:${env.PORT}${route}`, {
          method,
          headers: { authorization: `Bearer ${this.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(5_000),
        });
        if (response.status < 500) return { status: response.status, text: await response.text() };
      } catch {
        // this gateway was killed or is frozen; the other one is asked next
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`no gateway answered ${method} ${route}`);
  }

  /** Starts the process again, to kill itself at a labelled boundary if `fault` is given. */
  async restart(place: Place, fault: string | null): Promise<void> {
    await place.program.stop();
    place.program = await launchService(place.service, place.env, fault, place.root);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.places.map(({ program }) => program), this.simulators.program].map((program) => program.stop()));
    await this.database.close();
  }
}
