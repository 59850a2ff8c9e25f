import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { readProcessSettings } from '@autoposter/config';
import type { ItemState } from '@autoposter/domain';
import { postgresJobBus } from '@autoposter/job-engine';
import { LocalStore } from '@autoposter/object-store';
import { Health, silentLogger } from '@autoposter/observability';
import type { ContentItem, Database } from '@autoposter/persistence';
import { freshDatabase, pollUntil, startPostgres, type PostgresServer } from '@autoposter/testkit';
import type { NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { v7 as uuidv7 } from 'uuid';
import { SessionTokens } from '../auth/session-tokens';
import type { GatewaySettings } from '../bootstrap/settings';
import { createApp } from '../create-app';
import { FileLogs } from '../logs/file-logs';
import { SchedulerFence } from '../scheduler/scheduler';
import { PublishDuePostsTask } from '../scheduler/tasks/publish-due-posts.task';

export const ADMIN = 'admin@example.com';
export const ACCOUNT = '17841400000000000';
const KEYS = {
  session: [Buffer.from('a key of sessions, for tests only')],
  link: [Buffer.from('a key of links, for tests only')],
  evidence: [Buffer.alloc(32, 'a key of evidence'), Buffer.alloc(32, 'its former value')],
};

interface SharedSystems {
  database: Database;
  empty: () => Promise<void>;
  objects: LocalStore;
  folder: string;
}

/** A complete gateway on its own database, without workers and with a scheduler interval of one hour. */
export class GatewayFixture {
  private constructor(
    readonly app: NestExpressApplication,
    readonly database: Database,
    readonly objects: LocalStore,
    readonly settings: GatewaySettings,
    readonly token: string,
    private readonly actions: { empty: () => Promise<void>; stop: () => Promise<void> },
  ) {}

  static async start(changes: Partial<GatewaySettings> = {}): Promise<GatewayFixture> {
    const { database, empty, drop } = await freshDatabase(await sharedServer());
    const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    const objects = new LocalStore({ folder: join(folder, 'objects') });
    const gateway = await GatewayFixture.open({ database, empty, objects, folder }, changes, async () => {
      await drop();
      await rm(folder, { recursive: true, force: true });
    });
    // alone on its database, it becomes the scheduler at once; `empty` removes that lease
    await pollUntil(() => gateway.fence.current !== null);
    return gateway;
  }

  /** A second gateway on the same database and files. Stop it before the first one. */
  beside(changes: Partial<GatewaySettings> = {}): Promise<GatewayFixture> {
    const folder = dirname(this.settings.logFolder ?? tmpdir());
    const changed = { ...this.settings, ...changes };
    const shared = { database: this.database, empty: this.actions.empty, objects: this.objects, folder };
    return GatewayFixture.open(shared, changed, () => Promise.resolve());
  }

  private static async open(on: SharedSystems, changes: Partial<GatewaySettings>, after: () => Promise<void>): Promise<GatewayFixture> {
    const { database, empty, objects, folder } = on;
    const settings: GatewaySettings = { ...SETTINGS, logFolder: join(folder, 'logs'), ...changes };
    const app = await createApp({
      settings,
      database,
      objects,
      bus: postgresJobBus(database),
      logger: silentLogger,
      logs: new FileLogs(join(folder, 'logs')),
      health: new Health({ checks: { database: () => database.health() }, needs: ['database'] }),
    });
    await app.listen(0, '127.0.0.1');
    const stop = async () => {
      await app.close();
      await after();
    };
    return new GatewayFixture(app, database, objects, settings, await tokenOf(ADMIN), { empty, stop });
  }

  get address(): string {
    return `http://127.0.0.1:${(this.app.getHttpServer().address() as { port: number }).port}`;
  }

  get visitor() {
    return supertest(this.address);
  }

  call(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) {
    const request = supertest(this.address)[method](path).set('Authorization', `Bearer ${this.token}`);
    return body === undefined ? request : request.send(body);
  }

  /** Resolves once a statement of this gateway, such as one that begins with these words, waits for a lock. */
  async lockIsAwaited(beginning = ''): Promise<void> {
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND starts_with(query, $1)`;
    await pollUntil(async () => (await this.database.sql.query(waits, [beginning])).length > 0);
  }

  /** An item with the files and the caption of its state. */
  async item(state: ItemState, values: Partial<ContentItem> = {}): Promise<ContentItem> {
    const id = uuidv7();
    const name = id.slice(-12);
    const bytes = Buffer.from(`video of ${id}`);
    const original = await this.objects.put('originals', Readable.from([bytes]), 'video/mp4', 'mp4');
    await this.database.unitOfWork(async (uow) => {
      await uow.items.createMany([
        {
          id,
          platform: 'reddit',
          sourceId: name,
          originalUrl: `https://www.reddit.com/comments/${name}`,
          title: `Post ${name}`,
          author: 'an_author',
          subreddit: 'aww',
          postType: 'video',
          mediaType: 'video',
          score: 10,
          upvoteRatio: 0.95,
          autoProcessStage: 'dmcaProtection',
          state,
          ...values,
        },
      ]);
      const file = {
        mediaType: 'video' as const,
        objectKey: original.key,
        fileName: `${name}.mp4`,
        contentType: 'video/mp4',
        bytes: bytes.length,
        sha256: original.sha256,
        width: 1080,
        height: 1920,
        durationSeconds: 12.5,
        hasAudio: true,
        storageType: 'local' as const,
      };
      if (state === 'accepted') return;
      await uow.media.replace(id, 'original', [file]);
      if (['protected', 'ready', 'queued', 'posting', 'posted'].includes(state)) await uow.media.replace(id, 'processed', [file]);
      if (['ready', 'queued', 'posting', 'posted'].includes(state)) {
        await uow.captions.save({ itemId: id, caption: `Caption of ${name}`, hashtags: ['one', 'two'], captionModel: 'test' });
      }
    });
    const item = await this.database.read.items.find(id);
    if (!item) throw new Error('the item was not written');
    return item;
  }

  /**
   * Removes what tests wrote to the database, in a fraction of the time of another gateway. The scheduler forgets its lease, and its plans because it
   * finds no queue; whatever else the gateway itself remembers stays.
   */
  async empty(): Promise<void> {
    await this.actions.empty();
    this.fence.current = null;
    await this.app.get(PublishDuePostsTask).run();
  }

  stop(): Promise<void> {
    return this.actions.stop();
  }

  private get fence(): SchedulerFence {
    return this.app.get(SchedulerFence);
  }
}

export function tokenOf(email: string, now = new Date()): Promise<string> {
  const identity = { sessionId: uuidv7(), subject: '1', email, name: 'A Name', avatar: null };
  return new SessionTokens(KEYS.session, () => now).issue(identity, 'session');
}

const SETTINGS: GatewaySettings = {
  port: 0,
  host: '127.0.0.1',
  managementPort: 0,
  shutdownDelaySeconds: 0,
  publicUrl: 'http://127.0.0.1:3000',
  hasPublicAddress: false,
  instagramApi: { flavour: 'facebook', version: 'v26.0' },
  keys: KEYS,
  adminEmails: [ADMIN],
  adminAccounts: new Map(),
  google: null,
  instagramMissing: [],
  instagramAccountId: ACCOUNT,
  instagramLogin: {
    appIds: { instagram: 'app-1', facebook: null },
    loginUrls: { instagram: 'https://login.example.test', facebook: 'https://www.facebook.com' },
    apiVersion: 'v26.0',
  },
  aiDailyLimit: 50,
  maxHashtags: 5,
  timeZone: 'UTC',
  trustProxy: false,
  logFolder: null,
  podLogs: null,
  alerts: { webhook: null, slackUrl: null, email: null },
  consoleFolder: null,
  storageType: 'local',
  rateLimits: true,
  responseTimeoutMs: 10_000,
  schedulerSeconds: 3600,
  schedulerLeaseSeconds: 15,
  schedulersStart: false,
};

let server: Promise<PostgresServer> | null = null;

/** The embedded server starts in a second and needs no container engine. */
const kind = readProcessSettings().testDatabaseUrl === null ? ('embedded' as const) : undefined;

/** One server per spec file, stopped by `describeGateway`. */
const sharedServer = (): Promise<PostgresServer> => (server ??= startPostgres(kind));

/** A suite of gateways, each on its own database. */
export function describeGateway(name: string, suite: () => void): void {
  describe(name, () => {
    suite();
    // afterAll hooks run in order of registration: this one is last
    afterAll(async () => {
      const started = server;
      server = null;
      await (await started)?.stop();
    });
  });
}
