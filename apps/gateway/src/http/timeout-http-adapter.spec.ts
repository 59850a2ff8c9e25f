import { Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connect } from 'node:net';
import supertest from 'supertest';
import { TimeoutHttpAdapter } from './timeout-http-adapter';

@Controller()
class Echo {
  @Post('/echo')
  async echo(): Promise<{ ok: boolean }> {
    // Longer than a peer may take: that limit is for the question only.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return { ok: true };
  }
}

@Module({ controllers: [Echo] })
class EchoModule {}

describe('a server with slow peers', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    const server = new TimeoutHttpAdapter({ headersMs: 1_000, requestMs: 2_000, idleMs: 5_000, checkMs: 50 });
    app = await NestFactory.create<NestExpressApplication>(EchoModule, server, { logger: false });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app?.close());

  const port = () => (app.getHttpServer().address() as { port: number }).port;
  /** What a peer hears until the server hangs up. */
  const hear = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port(), '127.0.0.1');
      let heard = '';
      socket.on('data', (chunk) => (heard += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => resolve(heard));
      socket.write(text);
    });

  it('cuts off half a header and half a body', async () => {
    expect(await hear('POST /echo HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1\.1 408 /u);
    expect(await hear('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{')).toMatch(
      /^HTTP\/1\.1 408 /u,
    );
  });

  it('answers a slow handler whose request arrived in time', async () => {
    const { status, body } = await supertest(`http://127.0.0.1:${port()}`).post('/echo').send({});
    expect([status, body]).toEqual([201, { ok: true }]);
  });
});
