import net from 'node:net';

/** True if a server can listen there now; `0.0.0.0` is looked at as well, because a program on all addresses hides behind it. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0'));
}

/** As many different free ports as asked for; remembered ones are taken again where they are still free. */
export async function freePorts<N extends string>(names: readonly N[], remembered: Partial<Record<N, number>>): Promise<Record<N, number>> {
  const chosen = {} as Record<N, number>;
  const held: net.Server[] = [];
  for (const name of names) {
    const before = remembered[name];
    const server = (before !== undefined && (await listen(before))) || (await listen(0));
    if (server === null) throw new Error('No free port was found on 127.0.0.1.');
    held.push(server);
    chosen[name] = (server.address() as net.AddressInfo).port;
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return chosen;
}

/** The first of `count` free ports side by side; the remembered ones where they are still free. */
export async function freeRange(count: number, remembered: number | undefined): Promise<number> {
  const isFree = async (first: number): Promise<boolean> => {
    for (let port = first; port < first + count; port += 1) if (!(await canListen(port, '127.0.0.1'))) return false;
    return true;
  };
  if (remembered && (await isFree(remembered))) return remembered;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    // below the range from which systems hand out ports by themselves
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(first)) return first;
  }
  throw new Error(`No ${count} free ports side by side on 127.0.0.1.`);
}

/** The first free port from `first` on. */
export async function nextFreePort(first: number): Promise<number> {
  for (let port = first; port < first + 200; port += 1) if (await isPortFree(port)) return port;
  throw new Error(`No free port between ${first} and ${first + 200}.`);
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = await listen(port, host);
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function listen(port: number, host = '127.0.0.1'): Promise<net.Server | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
