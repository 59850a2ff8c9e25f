import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { LiveFact } from '@autoposter/contracts';
import type { Response } from 'express';
import { LiveHub } from './live-hub';
import { SseClient } from './live.service';

const fact = (seq: number): LiveFact => ({
  seq,
  type: 'queue.changed',
  subjectId: '01890000-0000-7000-8000-000000000001',
  itemId: null,
  stage: null,
  state: null,
  reason: 'x'.repeat(300),
  occurredAt: '2026-05-05T10:00:00.000Z',
});

/** The two calls of Express that a stream uses, on a response of Node. */
const asExpress = (response: ServerResponse): Response =>
  Object.assign(response, {
    status: () => response,
    set: (headers: Record<string, string>) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      return response;
    },
  }) as unknown as Response;

describe('SseClient', () => {
  it('frees the connection of a reader that takes nothing, instead of waiting for it', async () => {
    let opened: (response: ServerResponse) => void = () => undefined;
    const opening = new Promise<ServerResponse>((resolve) => (opened = resolve));
    const server = createServer((_request, response) => opened(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = await opening;
    const closed = once(response, 'close');

    let last = 0;
    const facts = {
      after: async (seq: number, limit: number) => Array.from({ length: Math.min(limit, last - seq) }, (_, index) => fact(seq + 1 + index)),
      bounds: async () => ({ first: 1, last }),
    };
    const hub = new LiveHub(facts, (error) => {
      throw error;
    });
    const client = new SseClient(asExpress(response));
    await hub.join(client, await hub.begin(null));
    while (hub.size > 0) {
      last += 500;
      await hub.wake();
    }
    await closed;
    expect(response.writableFinished).toBe(false);

    socket.destroy();
    server.close();
  });
});
