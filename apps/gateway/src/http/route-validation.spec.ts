import type { AddressInfo } from 'node:net';
import { api, type CreateSubredditBody } from '@autoposter/contracts';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiRoute } from './api-route';
import { ValidBody, ValidFilters, ValidId, ValidQuery } from './validation.pipe';

@Controller()
class RoutesController {
  @ApiRoute(api.subreddits.create)
  create(@ValidBody() body: CreateSubredditBody) {
    return body;
  }

  @ApiRoute(api.media.cover)
  cover(@ValidId() id: string, @ValidQuery() query: object) {
    return { id, query };
  }

  @ApiRoute(api.stages.deadLetters)
  deadLetters(@ValidFilters() query: object) {
    return query;
  }

  @ApiRoute(api.live.events)
  events(@ValidQuery() query: object) {
    return query;
  }

  @ApiRoute(api.instagramQueue.setOptions)
  setOptions(@ValidBody() body: object) {
    return body;
  }

  @ApiRoute(api.subreddits.list)
  list(@ValidQuery() query: object) {
    return query;
  }
}

@Module({ controllers: [RoutesController] })
class RoutesModule {}

describe('parameters of a route', () => {
  let app: INestApplication;
  let origin: string;

  beforeAll(async () => {
    app = await NestFactory.create(RoutesModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });

  afterAll(() => app.close());

  const call = async (path: string, body?: object | string, method = 'POST') => {
    const headers = { 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(origin + path, body === undefined ? {} : { method, headers, body: text });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };

  it('are parsed by the schemas of the route', async () => {
    expect((await call('/api/subreddits', { name: 'aww' })).json).toMatchObject({ name: 'aww', interval: 60 });
    const id = '0197F0A2-5C5D-7B1E-8D3B-0123456789AB';
    expect((await call(`/api/media/cover/${id}?file=2`)).json).toEqual({ id: id.toLowerCase(), query: { file: 2 } });
    expect((await call('/api/pipeline/dead-letters?page=3&stage=')).json).toMatchObject({ page: 3 });
  });

  it('are refused by them', async () => {
    expect(await call('/api/subreddits', { name: 'aww', colour: 'red' })).toMatchObject({
      status: 400,
      json: { issues: [{ rule: 'unknown field colour' }] },
    });
    expect((await call('/api/media/cover/17')).status).toBe(404);
    expect((await call('/api/pipeline/dead-letters?page=0')).status).toBe(422);
  });

  it.each(['9007199254740993', '123456789012345678901234567890', '1e300'])(
    'take no number that is not exact for another one: %s',
    async (number) => {
      expect((await call(`/api/media/cover/${number}`)).status).toBe(404);
      expect((await call(`/api/media/cover/0197f0a2-5c5d-7b1e-8d3b-0123456789ab?expires=${number}`)).status).toBe(422);
      expect((await call(`/api/events?lastEventId=${number}`)).status).toBe(422);
      expect((await call(`/api/pipeline/dead-letters?page=${number}`)).status).toBe(422);
      // as text, because a number of this program would be rounded
      expect((await call('/api/subreddits', `{"name":"aww","interval":${number}}`)).status).toBe(422);
      expect((await call('/api/instagram-queue/1/options', `{"locationId":${number}}`, 'PUT')).status).toBe(400);
    },
  );

  it('need a schema in the route', async () => {
    expect((await call('/api/subreddits')).status).toBe(500);
  });
});
