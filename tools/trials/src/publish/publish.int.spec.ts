import { PLANTED_BUGS } from './planted-bugs';
import { runEpisodes } from './publish.trial';
import { VirtualServer } from './virtual-database';

jest.setTimeout(600_000);

describe('the simulation of publishing', () => {
  let server: VirtualServer;
  beforeAll(async () => {
    server = await VirtualServer.start();
  }, 120_000);
  afterAll(() => server?.stop());

  it('publishes no post twice and leaves none behind in an episode with faults', async () => {
    const [report] = await runEpisodes(server, { seed: 1, posts: 25 });
    expect(report?.violations).toEqual([]);
    // an episode without calls would prove nothing
    expect(report?.published).toBeGreaterThan(5);
  });

  it.each(PLANTED_BUGS.filter(({ isFoundEarly }) => isFoundEarly))('finds a planted bug: $name', async (bug) => {
    const reports = await runEpisodes(server, { seed: 1, posts: 75, bug, maxFailures: 1 });
    expect(reports.flatMap(({ violations }) => violations)).not.toEqual([]);
  });
});
