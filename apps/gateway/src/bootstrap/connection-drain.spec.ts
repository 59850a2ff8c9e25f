import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionDrain } from './connection-drain';

describe('ConnectionDrain', () => {
  let server: Server;
  let drain: ConnectionDrain;
  let agent: Agent;
  let held: (() => void)[];

  beforeEach(async () => {
    held = [];
    server = createServer((request, response) => {
      if (request.url === '/held') held.push(() => response.end('held'));
      else response.end('at once');
    });
    drain = new ConnectionDrain(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(async () => {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = (path = '/'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      get({ port, path, agent }, (response) => {
        response.resume();
        response.once('end', () => resolve(response));
      }).once('error', reject);
    });

  it('keeps connections open before it drains', async () => {
    expect((await ask()).headers.connection).toBe('keep-alive');
  });

  it('answers requests that come in while it drains and announces the end of their connection', async () => {
    await ask();
    const drained = drain.drain(200);
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.connection])).toEqual(Array(3).fill([200, 'close']));
    await drained;
  });

  it('announces the end of a connection to a request that was already under way', async () => {
    const answer = ask('/held');
    while (held.length === 0) await new Promise(setImmediate);
    const drained = drain.drain(0);
    held[0]?.();
    expect((await answer).headers.connection).toBe('close');
    await drained;
  });

  it('closes idle connections at the end', async () => {
    await ask();
    const count = () => new Promise<number>((resolve) => server.getConnections((_error, n) => resolve(n)));
    expect(await count()).toBe(1);
    await drain.drain(0);
    while ((await count()) > 0) await new Promise(setImmediate);
  });
});
