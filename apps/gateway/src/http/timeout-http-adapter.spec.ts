import { Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connect } from 'node:net';
import supertest from 'supertest';
import { TimeoutHttpAdapter } from './timeout-http-adapter';

const HEADERS_MS = 600;
const REQUEST_MS = 1_200;

@Controller()
class Echo {
  @Post('/echo')
  async echo(): Promise<{ ok: boolean }> {
    // longer than a client may take to send a request
    await new Promise((resolve) => setTimeout(resolve, REQUEST_MS + 300));
    return { ok: true };
  }
}

@Module({ controllers: [Echo] })
class EchoModule {}

describe('TimeoutHttpAdapter', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    const server = new TimeoutHttpAdapter({ headersMs: HEADERS_MS, requestMs: REQUEST_MS, idleMs: 5_000, checkMs: 50 });
    app = await NestFactory.create<NestExpressApplication>(EchoModule, server, { logger: false });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app?.close());

  const port = () => (app.getHttpServer().address() as { port: number }).port;
  /** What a client receives until the server closes the connection. */
  const received = (sent: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port(), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      socket.write(sent);
    });

  it('answers 408 to half a header and to half a body', async () => {
    const half = ['Host: x\r\n', 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'];
    const answers = await Promise.all(half.map((rest) => received(`POST /echo HTTP/1.1\r\n${rest}`)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /u);
  });

  it('answers a slow handler whose request arrived in time', async () => {
    const { status, body } = await supertest(`http://127.0.0.1:${port()}`).post('/echo').send({});
    expect([status, body]).toEqual([201, { ok: true }]);
  });
});
