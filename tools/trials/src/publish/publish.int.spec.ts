import { NO_BUG, PLANTED_BUGS } from './planted-bugs';
import { runEpisodes } from './publish.trial';
import { VirtualServer } from './virtual-database';

jest.setTimeout(600_000);

describe('the simulation of publishing', () => {
  let server: VirtualServer;
  beforeAll(async () => {
    server = await VirtualServer.start();
  });
  afterAll(() => server?.stop());

  it('reads a setting as the database holds it after a transaction was rolled back', async () => {
    const written = server.unitOfWork(async ({ settings }) => {
      await settings.set('trial', { value: 1 });
      expect(await settings.get('trial')).toEqual({ value: 1 });
      throw new Error('rolled back');
    });
    await expect(written).rejects.toThrow('rolled back');
    expect(await server.database.read.settings.get('trial')).toBeNull();
    await server.unitOfWork(({ settings }) => settings.set('trial', { value: 2 }));
    expect(await server.database.read.settings.get('trial')).toEqual({ value: 2 });
  });

  // The others need more posts: `npm run trial -- publish --planted` looks for all of them.
  const searched = PLANTED_BUGS.flatMap((bug) => (bug.seed === null ? [] : [{ bug, seed: bug.seed }])).sort((a, b) => a.seed - b.seed);

  // from an episode that finds it soon; a change of the simulation or the product moves it to a later one
  it.each(searched)('finds a planted bug within 600 posts from seed $seed: $bug.name', async ({ bug, seed }) => {
    const reports = await runEpisodes(server, { seed, posts: 600, bug, maxFailures: 1 });
    expect(reports.flatMap(({ violations }) => violations)).not.toEqual([]);
  });

  it('breaks no rule in three such episodes without a planted bug', async () => {
    const reports = await runEpisodes(server, { seed: 209, posts: 75, bug: NO_BUG });
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('publishes no post twice and leaves none behind in an episode with faults', async () => {
    const [report] = await runEpisodes(server, { seed: 46102, posts: 25 });
    expect(report?.violations).toEqual([]);
    // an episode without calls would prove nothing
    expect(report?.published).toBeGreaterThan(5);
  });
});
