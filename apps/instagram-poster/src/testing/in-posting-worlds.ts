import { startPostgres, type PostgresServer } from '@autoposter/testkit';
import { PostingWorld } from './posting-world';

/** A server for the suite and a world of its own for each test, which `enter` gets before the test begins. */
export function inPostingWorlds(enter: (world: PostingWorld) => void): void {
  let server: PostgresServer | undefined;
  let world: PostingWorld | undefined;
  jest.setTimeout(60_000);
  beforeAll(async () => {
    server = await startPostgres('embedded');
  }, 120_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    if (server === undefined) throw new Error('there is no server');
    world = await PostingWorld.open(server);
    enter(world);
  });
  afterEach(() => world?.close());
}
