import { connect, type Socket } from 'node:net';

const AT_A_TIME = 200;
const DRIP_MS = 200;
const BODY_BYTES = 100_000;

/** Connections that weigh on a server without asking anything whole. */
export class Burden {
  private readonly sockets: Socket[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** Why no more could be opened; `null` when all are open. */
  limit: string | null = null;

  constructor(private readonly port: number) {}

  get open(): number {
    return this.sockets.filter((socket) => socket.readyState === 'open').length;
  }

  /** Connections that say nothing, up to what the machine allows. */
  async idle(count: number): Promise<void> {
    for (let made = 0; made < count && this.limit === null; made += AT_A_TIME) {
      await Promise.all(Array.from({ length: Math.min(AT_A_TIME, count - made) }, () => this.connect()));
    }
  }

  /** Requests whose body comes a byte at a time. */
  async slowBodies(count: number, path: string, token: string): Promise<void> {
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${BODY_BYTES}`,
    ];
    const sockets = await Promise.all(Array.from({ length: count }, () => this.connect()));
    for (const socket of sockets) socket?.write(`${head.join('\r\n')}\r\n\r\n{"`);
    this.timer = setInterval(() => sockets.forEach((socket) => socket?.writable && socket.write('x')), DRIP_MS);
  }

  async lift(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    const closed = this.sockets.map((socket) => (socket.closed ? null : new Promise((resolve) => socket.once('close', resolve))));
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(closed);
    this.sockets.length = 0;
  }

  private connect(): Promise<Socket | null> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port });
      socket.on('error', (error) => {
        if (socket.connecting || socket.pending) this.limit ??= error.message;
        resolve(null);
      });
      socket.once('connect', () => {
        this.sockets.push(socket);
        // a socket that nobody reads never tells that the other side hung up
        socket.resume();
        resolve(socket);
      });
    });
  }
}
