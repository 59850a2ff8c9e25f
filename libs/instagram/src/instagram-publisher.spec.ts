import { PipelineError, type PublishOutcome } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { HttpServerFake, respond as json, type Handler, type SeenRequest } from '@autoposter/resilience';
import { InstagramPublisher, type InstagramPublisherOptions } from './instagram-publisher';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const IG_TOKEN = 'IGAAtesttokentesttokentesttoken';
const EA_TOKEN = 'EAAtesttokentesttokentesttoken00';
const ACCOUNT = '17841400000000001';

let graph: HttpServerFake;
let logged: string[];
const note = (...parts: unknown[]) => void logged.push(JSON.stringify(parts));
const logger = { info: note, warn: note, error: note, debug: note } as unknown as Logger;

beforeAll(async () => {
  graph = await new HttpServerFake().start();
});
afterAll(() => graph.stop());
beforeEach(() => {
  graph.reset();
  logged = [];
});
afterEach(() => {
  for (const line of logged) expect(line).not.toMatch(/testtoken/);
});

const MATCH = {
  title: 'A song',
  owner: 'A label',
  actions: ['BLOCK'],
  segments: [{ startSeconds: 0, seconds: 4, kind: 'AUDIO' }],
};
const INFORMATION = {
  id: 'c1',
  copyright_check_information: {
    copyright_matches: [
      {
        content_title: 'A song',
        author: 'A label',
        owner_copyright_policy: { name: 'Block', actions: [{ action: 'BLOCK', territories: 'all', geos: [] }] },
        matched_segments: [{ start_time_in_seconds: 0, duration_in_seconds: 4, segment_type: 'AUDIO' }],
      },
    ],
  },
};

const formOf = (seen?: SeenRequest) => new URLSearchParams(seen?.body);
const publisher = (more: Partial<InstagramPublisherOptions> = {}) =>
  new InstagramPublisher({
    graphUrl: `${graph.origin}/`,
    uploadUrl: graph.origin,
    apiVersion: 'v26.0',
    accessToken: IG_TOKEN,
    accountId: ACCOUNT,
    now: () => NOW,
    timeoutMs: 2000,
    publishTimeoutMs: 300,
    logger,
    ...more,
  });
const error = (code: number, subcode?: number, more: Record<string, unknown> = {}) => ({
  error: { message: 'Words', type: 'OAuthException', code, ...(subcode ? { error_subcode: subcode } : {}), fbtrace_id: 'Atrace', ...more },
});
const failure = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(PipelineError);
  return (thrown as PipelineError).failure;
};

describe('remove', () => {
  const unknown: { status: number; body: unknown } = { status: 400, body: error(100, 33) };
  const remove = (first: { status: number; body: unknown }, second = unknown, token = EA_TOKEN) => {
    graph.handler = (seen, response) => {
      const { status, body } = seen.method === 'DELETE' ? first : second;
      json(response, status, body);
    };
    return publisher({ accessToken: token, flavour: token === EA_TOKEN ? 'facebook' : 'instagram' }).remove('1789');
  };
  const methods = () => graph.seen.map(({ method }) => method);

  it('removes a post and reads it again', async () => {
    expect(await remove({ status: 200, body: { success: true } })).toBe('removed');
    expect(methods()).toEqual(['DELETE', 'GET']);
  });

  it('takes a post that is gone already for removed', async () => expect(await remove(unknown)).toBe('removed'));

  it('does not believe the answer alone', async () => {
    const still = { status: 200, body: { id: '1789' } };
    expect((await failure(remove({ status: 200, body: { success: true } }, still))).code).toBe('instagram_post_still_there');
  });

  it.each([10, 200, 3])('is not offered without the permission (code %i)', async (code) =>
    expect(await remove({ status: 403, body: error(code) })).toBe('not_offered'),
  );

  it('is not offered by Instagram Login, which is not asked', async () => {
    expect(await remove(unknown, unknown, IG_TOKEN)).toBe('not_offered');
    expect(graph.seen).toEqual([]);
  });
});

it('sends no comment if the check right before the call throws', async () => {
  const refuse = () => {
    throw new Error('too late');
  };
  await expect(publisher().comment('m1', 'Which one is yours?', refuse)).rejects.toThrow('too late');
  expect(graph.seen).toEqual([]);
});

it('reads all pages of the comments of a post', async () => {
  graph.handler = ({ query }, response) => {
    const isFirst = !query.has('after');
    const paging = isFirst
      ? { cursors: { before: 'a', after: 'b' }, next: 'https://graph.facebook.com/next' }
      : { cursors: { after: 'c' } };
    json(response, 200, { data: [{ id: isFirst ? '2' : '1', text: isFirst ? 'Nice' : 'Which one is yours?' }], paging });
  };
  expect((await publisher().comments('m1')).map(({ text }) => text)).toEqual(['Nice', 'Which one is yours?']);
  expect(graph.seen.map(({ query }) => query.get('after'))).toEqual([null, 'b']);
});

describe('publish', () => {
  const publish = async (handler: Handler): Promise<PublishOutcome> => {
    graph.handler = handler;
    const outcome = await publisher().publish('c1');
    // Whatever came back, the one irreversible call went out once.
    expect(graph.seen).toHaveLength(1);
    return outcome;
  };

  test('a media id is published; the call carries container and token where they belong', async () => {
    await expect(publish((_request, response) => json(response, 200, { id: '17920238422030506' }))).resolves.toEqual({
      outcome: 'published',
      mediaId: '17920238422030506',
    });
    const [call] = graph.seen;
    expect(call).toMatchObject({ method: 'POST', path: `/v26.0/${ACCOUNT}/media_publish` });
    expect(formOf(call).get('creation_id')).toBe('c1');
    expect(call?.headers.authorization).toBe(`Bearer ${IG_TOKEN}`);
    expect(call?.query.toString() + (call?.body ?? '')).not.toContain(IG_TOKEN);
  });

  test.each([
    [9007, 2207027, 20],
    [9007, undefined, 20],
    [24, 2207008, 60],
    [4, undefined, 3600],
    [17, undefined, 3600],
    [32, undefined, 3600],
    [613, undefined, 3600],
    [80001, undefined, 3600],
    [80002, undefined, 3600],
    [9, 2207042, 3600],
  ])('%s/%s says that nothing was published: come back after %s s', async (code, subcode, seconds) => {
    const outcome = await publish((_request, response) => json(response, 400, error(code, subcode)));
    expect(outcome).toMatchObject({ outcome: 'refused', retryAfterSeconds: seconds, code: subcode ? `${code}/${subcode}` : `${code}` });
  });

  test.each([17, 80002])('the usage header knows the delay of the rate limit %i better', async (code) => {
    const usage = JSON.stringify({ [ACCOUNT]: [{ type: 'instagram', call_count: 100, estimated_time_to_regain_access: 7 }] });
    const outcome = await publish((_request, response) => json(response, 400, error(code), { 'x-business-use-case-usage': usage }));
    expect(outcome).toMatchObject({ outcome: 'refused', retryAfterSeconds: 420 });
  });

  test.each<[string, Handler]>([
    ['suspected spam, which was answered for live posts', (_r, response) => json(response, 400, error(4, 2207051))],
    ['another code', (_r, response) => json(response, 400, error(-1, 2207001))],
    ['9 with another subcode', (_r, response) => json(response, 400, error(9, 2207051))],
    ['9007 with an unlisted subcode', (_r, response) => json(response, 400, error(9007, 2209998))],
    ['24 with another subcode', (_r, response) => json(response, 400, error(24, 2207006))],
    ['an expired token', (_r, response) => json(response, 400, error(190, 463))],
    ['code 1, transient', (_r, response) => json(response, 500, error(1, undefined, { is_transient: true }))],
    ['a refusal code with status 500', (_r, response) => json(response, 500, error(9007, 2207027))],
    ['a refusal code with status 200', (_r, response) => json(response, 200, error(4))],
    ['HTML 500', (_r, response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<html>oops</html>')],
    ['HTML 200', (_r, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>ok</html>')],
    ['malformed JSON', (_r, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"179')],
    ['an empty body', (_r, response) => response.writeHead(200).end()],
    ['an empty id', (_r, response) => json(response, 200, { id: '' })],
    ['a number for an id', (_r, response) => json(response, 200, { id: 17920238422030506 })],
    ['a redirect', (_r, response) => response.writeHead(307, { location: `${graph.origin}/again` }).end()],
    [
      'an answer that is cut',
      (_r, response) => response.writeHead(200, { 'content-length': '100' }).write('{"id":"1', () => response.socket?.destroy()),
    ],
    ['a connection that is cut', (request, response) => void (request.method && response.socket?.destroy())],
    ['no answer in time', () => undefined],
  ])('%s leaves the outcome unknown', async (_name, handler) => {
    const outcome = await publish(handler);
    expect(outcome.outcome).toBe('unknown');
    expect((outcome as { message: string }).message).not.toBe('');
  });

  test('a refusal without the error of the API is unknown, and says that it is one', async () => {
    const outcome = await publish((_r, response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<html>no</html>'));
    expect(outcome).toMatchObject({ outcome: 'unknown', code: null, failure: { code: 'instagram_refused_without_reason' } });
  });

  test('a refused connection is unknown as well, and never thrown', async () => {
    const outcome = await publisher({ graphUrl: 'http://127.0.0.1:9' }).publish('c1');
    expect(outcome).toMatchObject({ outcome: 'unknown', code: null });
  });

  test('the platform’s words never carry a token on', async () => {
    const outcome = await publish((_request, response) =>
      json(response, 400, error(4, undefined, { message: `bad token ${IG_TOKEN} access_token=abc` })),
    );
    expect(JSON.stringify(outcome)).not.toContain(IG_TOKEN);
  });
});

describe('containers', () => {
  it('asks for a container with the parameters of the request', async () => {
    graph.handler = (_request, response) => json(response, 200, { id: '17889455560051444' });
    const request = { kind: 'image' as const, mediaUrl: 'https://cdn.example/a.jpg', caption: 'Hi' };
    await expect(publisher().createContainer(request)).resolves.toEqual({ containerId: '17889455560051444' });
    expect(Object.fromEntries(formOf(graph.seen[0]))).toEqual({ image_url: 'https://cdn.example/a.jpg', caption: 'Hi' });
  });

  test('bytes go to the upload host of Facebook Login, and nowhere with Instagram Login', async () => {
    const open = () => Promise.resolve(pieces());
    async function* pieces() {
      yield new Uint8Array(1000);
      yield new Uint8Array(24);
      await Promise.resolve();
    }
    const request = { kind: 'reel' as const, mediaUrl: null, caption: 'x', upload: { bytes: 1024, open } };
    graph.handler = (seen, response) => json(response, 200, seen.path.includes('ig-api-upload') ? { success: true } : { id: 'c9' });
    await publisher({ accessToken: EA_TOKEN }).createContainer(request);
    expect(formOf(graph.seen[0]).get('upload_type')).toBe('resumable');
    expect(graph.seen[1]?.path).toBe('/ig-api-upload/v26.0/c9');
    expect(graph.seen[1]?.body).toHaveLength(1024);
    const sized = { offset: '0', file_size: '1024', 'content-length': '1024' };
    expect(graph.seen[1]?.headers).toMatchObject({ authorization: `OAuth ${EA_TOKEN}`, ...sized });
    expect(graph.seen[1]?.headers).not.toHaveProperty('transfer-encoding');
    expect((await failure(publisher().createContainer(request))).kind).toBe('not_offered');
  });

  test('an interrupted upload continues with the missing bytes', async () => {
    const open = () =>
      Promise.resolve(
        (async function* () {
          yield Buffer.from('abcd');
          yield await Promise.resolve(Buffer.from('efgh'));
        })(),
      );
    let transfers = 0;
    graph.handler = (seen, response) => {
      if (!seen.path.includes('ig-api-upload')) return json(response, 200, { id: 'c9' });
      if (seen.method === 'GET') return json(response, 200, { offset: 6 });
      transfers += 1;
      return transfers === 1 ? json(response, 503, {}) : json(response, 200, { success: true });
    };
    await publisher({ accessToken: EA_TOKEN }).createContainer({ kind: 'reel', mediaUrl: null, caption: 'x', upload: { bytes: 8, open } });
    const sent = graph.seen.filter((seen) => seen.method === 'POST').slice(1);
    expect(sent.map(({ body, headers }) => [headers['offset'], headers['file_size'], headers['content-length'], body])).toEqual([
      ['0', '8', '8', 'abcdefgh'],
      ['6', '8', '2', 'gh'],
    ]);
  });

  test('an upload that was continued at a wrong offset asks for the offset again', async () => {
    const open = () =>
      Promise.resolve(
        (async function* () {
          yield await Promise.resolve(Buffer.from('abcdefgh'));
        })(),
      );
    const offsets = [2, 6];
    graph.handler = (seen, response) => {
      if (!seen.path.includes('ig-api-upload')) return json(response, 200, { id: 'c9' });
      if (seen.method === 'GET') return json(response, 200, { offset: offsets.shift() });
      if (seen.headers['offset'] === '0') return json(response, 503, {});
      if (seen.headers['offset'] === '6') return json(response, 200, { success: true });
      return json(response, 400, { debug_info: { retriable: false, type: 'ProcessingFailedError', message: '{}' } });
    };
    await publisher({ accessToken: EA_TOKEN }).createContainer({ kind: 'reel', mediaUrl: null, caption: 'x', upload: { bytes: 8, open } });
    expect(graph.seen.flatMap(({ headers }) => headers['offset'] ?? [])).toEqual(['0', '2', '6']);
  });

  test.each([408, 429])('an upload that is answered with %s is tried again', async (status) => {
    const upload = { bytes: 0, open: () => Promise.resolve((async function* () {})()) };
    graph.handler = (seen, response) => json(response, seen.path.includes('ig-api-upload') ? status : 200, { id: 'c9' });
    const request = { kind: 'reel' as const, mediaUrl: null, caption: 'x', upload };
    expect((await failure(publisher({ accessToken: EA_TOKEN }).createContainer(request))).kind).toBe('transient');
  });

  test('metrics that a post lacks cost none of the others', async () => {
    graph.handler = ({ query }, response) => {
      const asked = (query.get('metric') ?? '').split(',');
      if (asked.includes('shares') || asked.includes('saved'))
        return json(response, 400, {
          error: { message: '(#100) does not support the shares, saved metric', type: 'OAuthException', code: 100 },
        });
      return json(response, 200, { data: asked.map((name) => ({ name, values: [{ value: 3 }] })) });
    };
    expect(await publisher().insights('1')).toEqual({ views: 3, reach: 3, likes: 3, comments: 3, total_interactions: 3 });
    graph.handler = (_seen, response) => json(response, 400, { error: { message: 'no', type: 'OAuthException', code: 100 } });
    expect((await failure(publisher().insights('1'))).code).toBe('instagram_value_refused');
  });

  test('metrics that the platform withholds are no fault of the account', async () => {
    graph.handler = (_seen, response) => json(response, 400, error(10));
    expect(await failure(publisher().insights('1'))).toMatchObject({ code: 'instagram_metrics_withheld', detail: { code: 10 } });
  });

  test('a damaged file ends the upload with its own failure', async () => {
    async function* damaged() {
      yield await Promise.resolve(Buffer.from('abcd'));
      throw PipelineError.of('storage_misused', { fields: { problem: 'damaged' } });
    }
    const upload = { bytes: 8, open: () => Promise.resolve(damaged()) };
    graph.handler = (_seen, response) => json(response, 200, { id: 'c9', offset: 4 });
    const request = { kind: 'reel' as const, mediaUrl: null, caption: 'x', upload };
    expect((await failure(publisher({ accessToken: EA_TOKEN }).createContainer(request))).code).toBe('storage_misused');
    expect(graph.seen.filter((seen) => seen.method === 'GET')).toEqual([]);
  });

  test('a failed upload tells whether another try helps', async () => {
    const request = {
      kind: 'reel' as const,
      mediaUrl: null,
      caption: 'x',
      upload: { bytes: 0, open: () => Promise.resolve((async function* () {})()) },
    };
    for (const [retriable, kind] of [
      [true, 'transient'],
      [false, 'upstream_rejected'],
    ] as const) {
      graph.handler = (seen, response) =>
        seen.path.includes('ig-api-upload')
          ? json(response, 400, { debug_info: { retriable, type: 'ProcessingFailedError', message: '{}' } })
          : json(response, 200, { id: 'c9' });
      expect((await failure(publisher({ accessToken: EA_TOKEN }).createContainer(request))).kind).toBe(kind);
    }
  });

  const check = (state: string, matchesFound = false) => ({ state, matchesFound, matches: [] });
  test.each([
    [
      { status_code: 'IN_PROGRESS', status: 'In Progress' },
      { status: 'IN_PROGRESS', message: 'In Progress', copyright: check('not_started') },
    ],
    [
      { status_code: 'FINISHED', copyright_check_status: { status: 'complete', matches_found: false } },
      { status: 'FINISHED', message: null, copyright: check('completed') },
    ],
    [
      { status_code: 'FINISHED', copyright_check_status: { status: 'in_progress', matches_found: false } },
      { status: 'FINISHED', message: null, copyright: check('in_progress') },
    ],
    [
      { status_code: 'FINISHED', copyright_check_status: { status: 'not_started' } },
      { status: 'FINISHED', message: null, copyright: check('not_started') },
    ],
    [
      { status_code: 'FINISHED', copyright_check_status: { status: 'completed' } },
      { status: 'FINISHED', message: null, copyright: check('error') },
    ],
    [
      { status_code: 'FINISHED', copyright_check_status: 'completed' },
      { status: 'FINISHED', message: null, copyright: check('error') },
    ],
    [{ status_code: 'PUBLISHED' }, { status: 'PUBLISHED', message: null, copyright: check('not_started') }],
  ])('status %j', async (answer, expected) => {
    graph.handler = (_request, response) => json(response, 200, { id: 'c1', ...answer });
    await expect(publisher({ accessToken: EA_TOKEN }).containerStatus('c1')).resolves.toEqual(expected);
    expect(graph.seen.map((seen) => seen.query.get('fields'))).toEqual(['id,status_code,status,copyright_check_status']);
  });

  test.each([
    ['names the matched works', { status: 200, body: INFORMATION }, [MATCH]],
    ['has none where the platform does not name them', { status: 400, body: error(100) }, []],
  ])('a match %s', async (_title, { status, body }, matches) => {
    const found = { id: 'c1', status_code: 'FINISHED', copyright_check_status: { status: 'completed', matches_found: true } };
    graph.handler = (seen, response) =>
      seen.query.get('fields') === 'copyright_check_information' ? json(response, status, body) : json(response, 200, found);
    const { copyright } = await publisher({ accessToken: EA_TOKEN }).containerStatus('c1');
    expect(copyright).toEqual({ state: 'completed', matchesFound: true, matches });
  });

  test.each([[error(100)], [error(100, 2_108_999)]])(
    'the check of a container counts as failed where its field is refused with %j',
    async (refusal) => {
      graph.handler = (seen, response) =>
        seen.query.get('fields')?.includes('copyright') ? json(response, 400, refusal) : json(response, 200, { status_code: 'FINISHED' });
      await expect(publisher({ accessToken: EA_TOKEN }).containerStatus('c1')).resolves.toEqual({
        status: 'FINISHED',
        message: null,
        copyright: check('error'),
      });
    },
  );

  test('a login without the copyright check does not ask for it', async () => {
    graph.handler = (_request, response) => json(response, 200, { status_code: 'FINISHED' });
    await expect(publisher().containerStatus('c1')).resolves.toMatchObject({ status: 'FINISHED', copyright: null });
    expect(graph.seen.map((seen) => seen.query.get('fields'))).toEqual(['id,status_code,status']);
  });

  test('an unknown state is no state', async () => {
    graph.handler = (_request, response) => json(response, 200, { status_code: 'ODD' });
    expect((await failure(publisher().containerStatus('c1'))).kind).toBe('transient');
  });
});
