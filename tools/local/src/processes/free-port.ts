import net from 'node:net';

/** True if a server can listen there; `0.0.0.0` is checked too, because a program that listens on all addresses does not block 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0'));
}

/** A free port for each name; remembered ports are reused where they are free. */
export async function freePorts<N extends string>(names: readonly N[], remembered: Partial<Record<N, number>>): Promise<Record<N, number>> {
  const chosen = {} as Record<N, number>;
  const held: net.Server[] = [];
  for (const name of names) {
    const before = remembered[name];
    const server = (before !== undefined && (await listen(before))) || (await listen(0));
    if (server === null) throw new Error('No free port exists on 127.0.0.1.');
    held.push(server);
    chosen[name] = (server.address() as net.AddressInfo).port;
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return chosen;
}

/** The first of `count` consecutive free ports; the remembered ones where they are free. */
export async function freeRange(count: number, remembered: number | undefined): Promise<number> {
  const isFree = async (first: number): Promise<boolean> => {
    for (let port = first; port < first + count; port += 1) if (!(await canListen(port, '127.0.0.1'))) return false;
    return true;
  };
  if (remembered && (await isFree(remembered))) return remembered;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    // below the ephemeral range of common systems
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    if (await isFree(first)) return first;
  }
  throw new Error(`No ${count} consecutive free ports exist on 127.0.0.1.`);
}

/** The first free port at or above `first`. */
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
