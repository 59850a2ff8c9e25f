import { explainContainerError, findGraphError, GRAPH_ERRORS, graphFailureOf } from './graph-error';

const answer = (status: number, json: unknown, headers: Record<string, string> = {}) => ({ status, json, headers: new Headers(headers) });
const graph = (code: number, subcode?: number, more: Record<string, unknown> = {}) => ({
  error: { message: 'Words', code, ...(subcode === undefined ? {} : { error_subcode: subcode }), ...more },
});
const explained = (status: number, json: unknown, headers?: Record<string, string>) =>
  graphFailureOf(answer(status, json, headers))?.failure;

test('the table contains no pair of code and subcode twice', () => {
  const keys = GRAPH_ERRORS.map((row) => `${row.code}/${row.subcode}`);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test('a missing or wrong proof of the app secret concerns the account and names the variables, unlike an object that is not found', () => {
  const message = 'API calls from the server require an appsecret_proof argument';
  for (const type of ['GraphMethodException', 'OAuthException', undefined]) {
    const failure = explained(400, graph(100, undefined, { message, type }));
    expect(failure).toMatchObject({ code: 'instagram_signature_rejected', kind: 'not_authorised', side: 'operator' });
    expect(failure?.nextAction).toContain('INSTAGRAM_APP_SECRET');
    expect(explained(400, graph(100, 33, { type }))?.code).toBe('instagram_object_unknown');
    expect(explained(400, graph(100, undefined, { type }))?.code).toBe('instagram_value_refused');
  }
});

test('an unknown location is the choice of an administrator, wherever the platform names it', () => {
  const name = 'INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID';
  for (const more of [{ message: `(#100) ${name}` }, { error_user_title: name }, { error_data: { name } }])
    expect(explained(400, graph(100, undefined, more))).toMatchObject({ code: 'instagram_location_unknown', side: 'operator' });
});

test.each([
  [9004, 2207052, 'transient'],
  [36001, 2207005, 'unsupported_media'],
  [36001, 2207083, 'unsupported_media'],
  [36000, 2207004, 'too_large'],
  [36003, 2207009, 'unsupported_media'],
  [36004, 2207010, 'invalid_input'],
  [9007, 2207027, 'transient'],
  [9007, undefined, 'transient'],
  [9, 2207042, 'quota_exceeded'],
  [4, 2207051, 'policy'],
  [4, undefined, 'rate_limited'],
  [80002, undefined, 'rate_limited'],
  [25, 2207050, 'policy'],
  [190, 463, 'not_authorised'],
  [190, 9999, 'not_authorised'],
  [102, undefined, 'not_authorised'],
  [104, undefined, 'not_authorised'],
  [10, undefined, 'not_authorised'],
  [200, undefined, 'not_authorised'],
  [299, 5, 'not_authorised'],
  [100, 33, 'not_found'],
  [100, 2207028, 'invalid_input'],
  [100, undefined, 'invalid_input'],
  [110, 2207013, 'not_offered'],
  [352, 2207026, 'unsupported_media'],
  [-1, 2207001, 'transient'],
  [368, undefined, 'policy'],
  [506, undefined, 'conflict'],
  [2, undefined, 'transient'],
])('%s/%s is %s', (code, subcode, kind) => {
  const failure = explained(400, graph(code, subcode, { fbtrace_id: 'Atrace' }));
  expect(failure).toMatchObject({ kind, detail: { code, traceId: 'Atrace', words: 'Words' } });
  expect(failure?.message).toMatch(/^[A-Z].*\.$/);
  expect(failure?.nextAction).toMatch(/\.$/);
});

test('the details keep what the platform would show to a person, bounded, on one line and without secrets', () => {
  const texts = {
    error_user_title: `No se pudo\u202e publicar ${'x'.repeat(500)}`,
    error_user_msg: `Inténtalo\nmás tarde. access_token=EAAtesttokentesttoken00 ${'y'.repeat(5_000)}`,
  };
  const { detail } = explained(400, graph(36003, 2207009, texts)) ?? {};
  expect([detail?.['userTitle'], detail?.['userMessage']]).toEqual([
    expect.stringMatching(/^No se pudo publicar x+$/),
    expect.stringMatching(/^Inténtalo más tarde\. /),
  ]);
  expect([String(detail?.['userTitle']).length, String(detail?.['userMessage']).length]).toEqual([100, 300]);
  expect(JSON.stringify(detail)).not.toContain('testtoken');
  expect(explained(400, graph(36003, 2207009))?.detail).not.toHaveProperty('userTitle');
});

test('unknown codes go by what the platform says, else by status', () => {
  expect(explained(400, graph(77777))?.kind).toBe('upstream_rejected');
  expect(explained(400, graph(77777, undefined, { is_transient: true }))?.kind).toBe('transient');
  expect(explained(503, graph(77777))?.kind).toBe('transient');
  expect(explained(401, graph(77777))?.kind).toBe('not_authorised');
  expect(explained(429, graph(77777))).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 3600 });
});

test('an answer that the platform calls passing is worth another try whatever its code, but for a stopped account and a doubled post', () => {
  const passing = { is_transient: true };
  expect(explained(400, graph(100, undefined, passing))).toMatchObject({ kind: 'transient', nextAction: 'It is retried automatically.' });
  expect(explained(400, graph(24, 2207006, passing))?.kind).toBe('transient');
  expect(explained(500, graph(100, 33))?.kind).toBe('transient');
  expect(explained(400, graph(4, 2207051, passing))?.kind).toBe('policy');
  expect(explained(500, graph(190))?.kind).toBe('not_authorised');
  expect(explained(400, graph(506, undefined, passing))?.kind).toBe('conflict');
  expect(explained(400, graph(9, 2207042, passing))?.kind).toBe('quota_exceeded');
});

test('answers without the envelope go by status', () => {
  expect(explained(500, undefined)?.kind).toBe('transient');
  expect(explained(302, undefined)?.kind).toBe('transient');
  expect(explained(200, undefined)?.kind).toBe('transient');
  expect(explained(404, undefined)?.kind).toBe('upstream_rejected');
  expect(explained(429, undefined)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 3600 });
  expect(explained(200, { id: '1' })).toBeUndefined();
});

test('a rate limit states a duration instead of a time of the process clock, from the usage header where present', () => {
  expect(explained(400, graph(9, 2207042))).toMatchObject({ retryAfterSeconds: 3600 });
  const usage = JSON.stringify({ '1': [{ estimated_time_to_regain_access: 5 }, { estimated_time_to_regain_access: 10 }] });
  expect(explained(400, graph(80002), { 'x-business-use-case-usage': usage })).toMatchObject({ retryAfterSeconds: 600 });
  expect(explained(400, graph(80002), { 'x-business-use-case-usage': 'not json' })).toMatchObject({ retryAfterSeconds: 3600 });
});

test.each([
  ['Error: Media upload has failed with error code 2207026', 'unsupported_media'],
  ['Error: Media upload has failed with error code 2207077', 'transient'],
  [null, 'upstream_rejected'],
])('a container that failed with %j', (text, kind) => expect(explainContainerError(text).kind).toBe(kind));

test('a container that failed with an unlisted subcode says so', () => {
  const failure = explainContainerError('Error: Media upload has failed with error code 2209999');
  expect(failure).toMatchObject({ code: 'instagram_processing_unlisted', kind: 'upstream_rejected', detail: { subcode: 2209999 } });
  expect(explainContainerError('Error: Media upload has failed.').code).toBe('instagram_processing_failed');
});

test.each([100, 9007, 36000, 36001, 36003, 36004])('code %s with an unlisted subcode is an unknown error', (code) => {
  expect(explained(400, graph(code, 2209998))).toMatchObject({ code: 'instagram_refused', detail: { code, subcode: 2209998 } });
  expect(explained(400, graph(code, 77))).toMatchObject({ code: 'instagram_refused' });
  expect(explained(400, graph(code))?.code).not.toBe('instagram_refused');
});

test('a lookup by subcode alone finds only the platform’s own subcodes', () => {
  expect(findGraphError(null, 33)).toBeNull();
  expect(findGraphError(5555, 2207026)?.failure).toBe('instagram_video_format');
});
