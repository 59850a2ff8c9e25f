import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { claimedWork, type ClaimedWork } from '@autoposter/contracts';
import { failureOf, PipelineError, type PostSource, type SourceMedia, type SourcePost } from '@autoposter/domain';
import { bindStage, requestStage } from '@autoposter/job-engine';
import { MediaTools } from '@autoposter/media-tools';
import { LocalStore } from '@autoposter/object-store';
import { HttpServerFake } from '@autoposter/resilience';
import { freshDatabase, type FreshDatabase, type PostgresServer, StageTestHarness, startPostgres } from '@autoposter/testkit';
import { MediaFetcher } from '../fetching/media-fetcher';
import { retrieveStage } from './retrieve.stage';

const folder = mkdtempSync(join(tmpdir(), 'retrieving-'));
const served = join(folder, 'served');
const POST = 'https://www.reddit.com/r/pics/comments/1abcde/valley/';

describe('retrieving claimed works', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let harness: StageTestHarness;
  let host: HttpServerFake;
  /** Answers of the host instead of a file. */
  let answers: Record<string, () => { status: number; headers?: Record<string, string>; body?: string } | undefined>;
  let resolve: PostSource['resolve'];
  let beforeFetch: () => Promise<unknown>;

  beforeAll(async () => {
    mkdirSync(served, { recursive: true });
    const picture = (name: string, size: string) =>
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `mandelbrot=s=${size}`, '-frames:v', '1', join(served, name)]);
    picture('one.png', '640x640');
    picture('two.jpg', '500x700');
    host = await new HttpServerFake().start();
    host.handler = ({ path }, response) =>
      void beforeFetch().then(() => {
        const name = basename(path);
        const answer = answers[name]?.();
        if (answer === undefined) return response.end(readFileSync(join(served, name)));
        return response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    server = await startPostgres('embedded');
  });
  afterAll(async () => {
    await server?.stop();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    fresh = await freshDatabase(server);
    host.reset();
    answers = { page: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }) };
    beforeFetch = () => Promise.resolve();
    resolve = () => Promise.reject(new PipelineError(failureOf('removed_at_source')));
    const rules = { extraOrigins: new Set([host.origin]), publicOnly: false };
    const tools = {
      sources: { reddit: { resolve: (url: string) => resolve(url) }, instagram: null },
      ...{ fetcher: new MediaFetcher(rules), workFetcher: new MediaFetcher({ ...rules, anyHost: true }), media: new MediaTools() },
      ...{ objects: new LocalStore({ folder: join(folder, 'objects') }), storageType: 'local' as const },
    };
    harness = await StageTestHarness.open(fresh.database, [bindStage(retrieveStage, tools)]);
  });
  afterEach(async () => {
    await harness.close();
    await fresh.drop();
  });

  const claimOf = async (id: string) => (await fresh.database.read.rights.findClaim(id))?.claim;
  const workOf = async (id: string) => (await claimOf(id))?.work;
  const asked = () => host.seen.map(({ path }) => basename(path));
  const registerJobs = async (id: string) => fresh.database.read.jobs.findOpen('register', id);

  async function request(
    urls: readonly string[],
    status: 'active' | 'withdrawn' = 'active',
    known: ClaimedWork | null = null,
  ): Promise<string> {
    const work = {
      ...(known ?? claimedWork('requested', [])),
      state: 'requested' as const,
      urls: urls.map((url) => url.replace('ORIGIN', host.origin)),
    };
    return fresh.database.unitOfWork(async (uow) => {
      const claim = await uow.rights.addClaim({ title: 'Valley', claimant: 'North Light', createdBy: 'a', work }, []);
      if (status !== 'active') await uow.claims.setStatus(claim.id, { from: 'active', to: status, note: null, expiresAt: null });
      await requestStage(uow, { stage: 'retrieve', subjectId: claim.id, itemId: null, key: claim.id, actor: 'a' });
      return claim.id;
    });
  }
  const retrieved = async (urls: readonly string[], ends: 'done' | 'dead' = 'done') => {
    const id = await request(urls);
    await harness.latestJob('retrieve', id, ends, 60_000);
    return id;
  };
  const media = (name: string): SourceMedia => ({
    ...{
      kind: 'image',
      url: `${host.origin}/${name}`,
      audioUrl: null,
      manifestUrl: null,
      width: null,
      height: null,
      durationSeconds: null,
    },
  });

  it('stores a sound at an address', async () => {
    answers['song.mp3'] = () => ({ status: 200, headers: { 'content-type': 'audio/mpeg' }, body: `ID3${'a song '.repeat(500)}` });
    const id = await retrieved(['ORIGIN/song.mp3']);
    expect(await workOf(id)).toMatchObject({
      state: 'stored',
      mediaType: 'video',
      missed: [],
      objectKey: expect.stringMatching(/\.mp3$/u),
    });
  });

  it('stores the file at an address and has it fingerprinted', async () => {
    const id = await retrieved(['ORIGIN/one.png?width=640']);
    expect(await workOf(id)).toMatchObject({ state: 'stored', mediaType: 'image', message: null, missed: [] });
    expect(await registerJobs(id)).toMatchObject({ state: 'requested', forPerson: true });
    const [audit] = await fresh.database.sql.query<{ detail: unknown }>(`SELECT detail FROM audit_log WHERE action = 'rights.fetch'`);
    expect(audit?.detail).toEqual({ sha256: [(await workOf(id))?.sha256], missed: [] });
  });

  it('stores all files of a post, each once', async () => {
    resolve = () =>
      Promise.resolve({
        post: { platform: 'reddit', removed: false, media: ['one.png', 'two.jpg'].map(media) } as SourcePost,
        topComments: [],
      });
    const id = await retrieved([POST, 'ORIGIN/two.jpg']);
    const work = await workOf(id);
    expect(work).toMatchObject({ state: 'stored', mediaType: 'image', more: [{ mediaType: 'image' }] });
    expect(work?.more).toHaveLength(1);
  });

  it('uses the other files of a gallery with a missing one, and says which it is', async () => {
    answers['gone.jpg'] = () => ({ status: 404 });
    const requests = () => asked().filter((name) => name === 'two.jpg').length;
    answers['two.jpg'] = () => (requests() === 1 ? { status: 503 } : undefined);
    resolve = () =>
      Promise.resolve({
        post: { platform: 'reddit', removed: false, media: ['one.png', 'gone.jpg', 'two.jpg'].map(media) } as SourcePost,
        topComments: [],
      });
    const id = await retrieved([POST]);
    expect(await workOf(id)).toMatchObject({
      state: 'stored',
      more: [{ mediaType: 'image' }],
      missed: [{ url: POST, message: 'File 2 of 3: The media host answered 404.' }],
    });
    expect(requests()).toBe(2);
  });

  it('says of each address that gave no file why, and uses the others', async () => {
    answers['gone.jpg'] = () => ({ status: 404 });
    const id = await retrieved([
      POST,
      'ORIGIN/page',
      'ORIGIN/gone.jpg',
      'ftp://photographs.example/one.jpg',
      'https://10.0.0.8/one.jpg',
      'https://www.instagram.com/p/CfogAAAAAAA/',
      'ORIGIN/one.png',
    ]);
    const work = await workOf(id);
    expect(work?.state).toBe('stored');
    expect(work?.missed?.map(({ message }) => message)).toEqual([
      'The post was removed or deleted at its source.',
      'The address leads to a web page and not to a file of the work.',
      'The media host answered 404.',
      'Only https addresses are fetched, this one is ftp.',
      'The address 10.0.0.8 is not one that media is fetched from.',
      'Instagram is not configured.',
    ]);
  });

  it('ends without a file where no address gives one', async () => {
    const id = await retrieved(['ORIGIN/page']);
    expect(await workOf(id)).toMatchObject({ state: 'failed', message: 'The address leads to a web page and not to a file of the work.' });
    expect(await registerJobs(id)).toBeNull();
  });

  it('fetches what failed for a moment again, without the files that it has', async () => {
    const requests = () => asked().filter((name) => name === 'two.jpg').length;
    answers['two.jpg'] = () => (requests() === 1 ? { status: 503 } : undefined);
    const id = await retrieved(['ORIGIN/one.png', 'ORIGIN/two.jpg']);
    expect(await workOf(id)).toMatchObject({ state: 'stored', more: [{ mediaType: 'image' }], missed: [] });
    expect([requests(), asked().length]).toEqual([2, 3]);
  });

  it('does not keep files waiting for a host that is busy', async () => {
    answers['two.jpg'] = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    const id = await retrieved(['ORIGIN/two.jpg', 'ORIGIN/one.png']);
    expect(await workOf(id)).toMatchObject({ state: 'stored', missed: [{ message: 'The media host asks us to slow down.' }] });
  });

  it('gives up where a host never answers, and says so in the claim', async () => {
    answers['one.png'] = () => ({ status: 503 });
    const id = await retrieved(['ORIGIN/one.png'], 'dead');
    expect(await workOf(id)).toMatchObject({
      state: 'failed',
      message: 'The media host answered 503.',
      missed: [{ url: `${host.origin}/one.png` }],
    });
  });

  it('leaves a file that was uploaded meanwhile', async () => {
    const upload = claimedWork('fingerprinted', [{ bytes: 1, sha256: 'ab'.repeat(32), mediaType: 'image', objectKey: 'originals/upload' }]);
    let id = '';
    beforeFetch = () => fresh.database.unitOfWork((uow) => uow.claims.setWork(id, upload));
    id = await request(['ORIGIN/one.png']);
    await harness.latestJob('retrieve', id, 'done', 60_000);
    expect(await workOf(id)).toEqual(upload);
    expect(await registerJobs(id)).toBeNull();
  });

  it('keeps the files that the claim had', async () => {
    const known = claimedWork('requested', [{ bytes: 1, sha256: 'cd'.repeat(32), mediaType: 'image', objectKey: 'originals/known' }]);
    const id = await request(['ORIGIN/page'], 'active', known);
    await harness.latestJob('retrieve', id, 'done', 60_000);
    expect(await workOf(id)).toMatchObject({ state: 'stored', objectKey: 'originals/known', missed: [{ url: `${host.origin}/page` }] });
    expect(await registerJobs(id)).not.toBeNull();
  });

  it('fetches nothing for a claim that was withdrawn', async () => {
    const id = await request(['ORIGIN/one.png'], 'withdrawn');
    await harness.latestJob('retrieve', id, 'cancelled', 60_000);
    expect(asked()).toEqual([]);
  });
});
