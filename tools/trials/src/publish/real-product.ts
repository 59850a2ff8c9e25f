import path from 'node:path';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { readProcessSettings } from '@autoposter/config';
import { api, type InstagramAccount, type InstagramAccounts } from '@autoposter/contracts';
import { accountSetting } from '@autoposter/domain';
import { LocalStore } from '@autoposter/object-store';
import type { Database } from '@autoposter/persistence';
import { anItem, fileFields, freePort, pollUntil, type PostgresServer } from '@autoposter/testkit';
import { FAST_QUEUE, launchService, SHORT_WAITS, startSystems } from '../product/fast-product';
import { productEnvironment, type Program, type RunningSimulators } from '../product/program';
import { SignedInAdmin } from '../product/signed-in-admin';
import { accountsOf } from '../../../simulators/src/instagram/instagram.system';
import type { QueuedPost } from './real-audit';

const PICTURE = { width: 480, height: 600 };
/** Longer than a late publish takes (6 s), so that what appears late is not called absent. */
const RECONCILE_ABSENT_SECONDS = '12';

/** The queue does not stop although many posts wait longer than planned. */
const PATIENT_QUEUE = { ...FAST_QUEUE, backlogLimit: 100_000 };

/** An account that posts are published on. */
type TrialAccount = Pick<InstagramAccount, 'id'> & { userId: string };

/** A process of the product that is started again whenever it was killed. */
export interface Place {
  readonly service: 'gateway' | 'instagram-poster';
  readonly env: Record<string, string>;
  /** Root of the copied workspace that contains the program; missing for this workspace. */
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

  /** Its accounts, apart from that of the environment, are not connected yet. The publishing workers may be those of a copy of the workspace. */
  static async start(postgres: PostgresServer, folder: string, accountCount: number, posterRoot?: string): Promise<RealProduct> {
    const { url, database, simulators } = await startSystems(postgres, folder);
    await simulators.control.changeSettings({ instagram: { furtherAccounts: accountCount } });
    const first = productEnvironment(simulators, url, folder, await freePort());
    const own = {
      RECONCILE_ABSENT_SECONDS,
      DATABASE_POOL_SIZE: '4',
      CDN_BASE_URL: first.PUBLIC_URL,
      SCHEDULERS_START: 'true',
      STAGE_SLOTS: String(accountCount),
    };
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

  /** The account of the environment and `count - 1` others, which an administrator connects through the simulated login, with queues that run. */
  async connectAccounts(count: number): Promise<TrialAccount[]> {
    const offered = accountsOf({ furtherAccounts: count });
    for (const { id: userId } of offered.slice(1, count)) {
      await this.logIn(userId);
      const isReady = (account: InstagramAccount): boolean => account.userId === userId && account.status === 'ready';
      await pollUntil(async () => (await this.accounts()).some(isReady), 120_000, `account ${userId}`);
    }
    const accounts = (await this.accounts()).map(({ id, userId }) => ({ id, userId: userId ?? '' }));
    await this.database.unitOfWork(async (uow) => {
      for (const { id } of accounts) await uow.settings.set(accountSetting('queue', id), PATIENT_QUEUE, 'trial');
    });
    return accounts;
  }

  async accounts(): Promise<InstagramAccount[]> {
    const { text } = await this.request('GET', api.instagramAccounts.list.path);
    return (JSON.parse(text) as { data: InstagramAccounts }).data.accounts;
  }

  /** Chooses an account on the login page and brings its code to the gateway that started the login, as the browser does. */
  private async logIn(userId: string): Promise<void> {
    const { env } = this.places[0] as Place;
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const connect = `${env.PUBLIC_URL}${api.instagramAccounts.connect.path}`;
    const started = await fetch(connect, { method: 'POST', headers, body: JSON.stringify({ login: 'instagram' }) });
    const { data } = (await started.json()) as { data: { authorizationUrl: string } };
    const chosen = await fetch(`${data.authorizationUrl}&choose=${userId}`, { redirect: 'manual' });
    const cookie = started.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    const answered = await fetch(chosen.headers.get('location') ?? '', { redirect: 'manual', headers: { cookie: cookie.join('; ') } });
    if (answered.status !== 302) throw new Error(`the login of account ${userId} ended with status ${answered.status}`);
  }

  /** Adds processed items, which share a picture and differ by their captions, to the queues of the accounts in turn, and to `queued` by item. */
  async queuePosts(count: number, accounts: readonly TrialAccount[], queued: Map<string, QueuedPost>): Promise<void> {
    const file = path.join(this.folder, 'picture.jpg');
    const { ffmpegPath } = readProcessSettings();
    const source = `testsrc2=s=${PICTURE.width}x${PICTURE.height}`;
    await promisify(execFile)(ffmpegPath, ['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '1', file]);
    const bytes = await readFile(file);
    const stored = await this.store.put('processed', Readable.from([bytes]), 'image/jpeg', 'jpg');
    const fields = { objectKey: stored.key, sha256: stored.sha256, bytes: bytes.length, fileName: 'picture.jpg' };
    for (let n = 1; n <= count; n += 1) {
      const caption = `Post ${n} of the trial.`;
      const { id: accountId, userId } = accounts[n % accounts.length] as TrialAccount;
      const itemId = await this.database.unitOfWork(async (uow) => {
        const item = await anItem(uow, { state: 'ready', sourceId: `real${n}`, postType: 'image', mediaType: 'image' });
        const form = { mediaType: 'image', contentType: 'image/jpeg', durationSeconds: null, hasAudio: null, ...PICTURE } as const;
        await uow.media.replace(item.id, 'processed', [fileFields({ ...form, ...fields })]);
        await uow.captions.save({ itemId: item.id, caption, hashtags: [], captionModel: 'offline' });
        return item.id;
      });
      queued.set(itemId, { caption, userId });
      const { status, text } = await this.request('POST', api.instagramQueue.enqueue.path.replace(':id', itemId), { accountId });
      // a gateway that was killed may have queued it before
      if (status >= 300 && status !== 409) throw new Error(`the post was not queued: ${status} ${text.slice(0, 300)}`);
    }
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
