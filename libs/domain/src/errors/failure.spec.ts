import {
  changeFailure,
  failureOf,
  isRefusedForGood,
  mapFiles,
  PipelineError,
  renderFailure,
  toFailure,
  type FailureFields,
} from './failure';
import { FAILURES, type FailureCode } from './failure-catalogue';
import { FAILURE_POLICY, NEXT_ACTIONS, type FailureRow } from './failure-kinds';

const CODES = Object.keys(FAILURES) as FailureCode[];
const namesIn = (sentence: string): string[] => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

describe('renderFailure', () => {
  it.each(CODES)('renders %s completely, while it is retried and after the last attempt', (code) => {
    const { kind, side, action, message, variables }: FailureRow = FAILURES[code];
    const fields: FailureFields = { variables: variables ?? '', ...Object.fromEntries(namesIn(message).map((name) => [name, 'X'])) };
    const rendered = renderFailure({ code, kind, side, action, fields });
    const givenUp = renderFailure({ code, kind, side, action, fields, attempts: 3 });
    for (const sentence of [rendered.message, rendered.nextAction, givenUp.nextAction]) {
      expect(sentence).not.toMatch(/[{}]|undefined| {2}/);
      expect(sentence).not.toBe('');
    }
    expect(rendered.nextAction).toMatch(/^[A-Z].*\.$/);
    expect(/automatically/.test(givenUp.nextAction) && FAILURE_POLICY[kind] !== 'never').toBe(false);
    expect(/tried 3 times/.test(givenUp.nextAction)).toBe(FAILURE_POLICY[kind] !== 'never');
  });

  it('names each field of an action that needs one', () => {
    const needing = CODES.filter((code) => namesIn(NEXT_ACTIONS[FAILURES[code].action]).includes('variables'));
    expect(needing.filter((code) => (FAILURES[code] as FailureRow).variables === undefined)).toEqual([]);
  });

  it('uses every action', () => {
    const used = new Set<string>(CODES.map((code) => FAILURES[code].action));
    const ofConnectedAccounts = ['sign_in_and_connect', 'confirm_and_connect', 'add_page_role_and_connect'];
    const overrides = ['post_again_check_media', ...ofConnectedAccounts];
    expect(Object.keys(NEXT_ACTIONS).filter((action) => !used.has(action) && !overrides.includes(action))).toEqual([]);
  });

  it('says how a retried failure continues, and adds the advice of its code', () => {
    expect(failureOf('reddit_failed').nextAction).toBe('It is retried automatically.');
    expect(failureOf('disk_full').nextAction).toBe('It is retried automatically. Free disk space.');
    expect(failureOf('reddit_pause', { retryAfterSeconds: 60 }).nextAction).toBe('It continues automatically when the limit has passed.');
    expect(failureOf('groq_not_configured').nextAction).toBe('Set GROQ_API_KEY, then retry.');
  });

  it('promises no automatic retry of an API request', () => {
    expect(changeFailure(failureOf('storage_full'), { retried: false }).nextAction).toBe('Make the storage larger or free space in it.');
    expect(
      changeFailure(failureOf('storage_timed_out', { fields: { operation: 'reading', seconds: 5 } }), { retried: false }).nextAction,
    ).toBe('Try again in a moment.');
    expect(changeFailure(failureOf('reddit_pause'), { retried: false }).nextAction).toBe('Try again when the limit has passed.');
  });

  it('does not read its own sentences: a reworded one changes no other field', () => {
    const failure = failureOf('disk_full');
    expect(changeFailure({ ...failure, message: 'x', nextAction: 'y' }, { attempts: 1 })).toEqual({
      ...failure,
      attempts: 1,
      nextAction: 'It was tried once; retry it by hand once the cause is fixed. Free disk space.',
    });
  });
});

describe('changeFailure', () => {
  it('renders another kind and action of the same finding', () => {
    const changed = changeFailure(failureOf('instagram_fetch_failed'), { kind: 'upstream_rejected', action: 'post_again_check_media' });
    expect(changed.nextAction).toBe(NEXT_ACTIONS.post_again_check_media);
  });

  it('keeps the sentence of a failure that was stored before codes existed', () => {
    const stored = failureOf('stored_failure', { kind: 'transient', fields: { text: 'Old.' } });
    expect(changeFailure({ ...stored, nextAction: 'Wait.' }, { attempts: 3 })).toMatchObject({
      message: 'Old.',
      nextAction: 'It was tried 3 times; retry it by hand once the cause is fixed.',
    });
  });
});

describe('mapFiles', () => {
  const second = (file: string) => (file === 'b' ? Promise.reject(PipelineError.of('reddit_pause')) : Promise.resolve(file));

  it('gives the results in the order of the files', async () => {
    expect(await mapFiles(['a', 'c'], (file, index) => Promise.resolve(`${file}${index}`))).toEqual(['a0', 'c1']);
  });

  it('says which of several files a failure is about, also after a change of the failure', async () => {
    const error = await mapFiles(['a', 'b', 'c'], second).catch((thrown: unknown) => thrown);
    const { message } = failureOf('reddit_pause');
    expect(error).toMatchObject({ failure: { code: 'reddit_pause', file: { number: 2, of: 3 }, message: `File 2 of 3: ${message}` } });
    expect(changeFailure((error as PipelineError).failure, { attempts: 3 }).message).toBe(`File 2 of 3: ${message}`);
  });

  it('leaves the failure of a single file and what is no failure', async () => {
    await expect(mapFiles(['b'], second)).rejects.toMatchObject({ failure: failureOf('reddit_pause') });
    const defect = new Error('a defect');
    await expect(mapFiles(['a', 'b'], () => Promise.reject(defect))).rejects.toBe(defect);
  });
});

describe('toFailure', () => {
  it('passes a classified failure on and keeps the text of any other error to itself', () => {
    const failure = failureOf('bus_closed');
    expect(toFailure(new PipelineError(failure))).toBe(failure);
    expect(toFailure(new TypeError('secret'))).toEqual(failureOf('unexpected_error', { detail: { error: 'TypeError' } }));
  });
});

describe('isRefusedForGood', () => {
  it.each([
    ['a media kind that the API does not take', failureOf('instagram_video_format'), true],
    ['a caption that the API refused', failureOf('caption_too_long', { detail: { code: 36004, subcode: 2207010 } }), true],
    ['a location that the API refused', failureOf('instagram_location_unknown', { detail: { code: 100, subcode: null } }), true],
    ['a container that the API refused', failureOf('instagram_trial_reels', { side: 'instagram', detail: { subcode: 2207081 } }), true],
    ['a caption that Autoposter refused', failureOf('caption_refused', { fields: { violations: 'Too long.' } }), false],
    ['an option that Autoposter refused', failureOf('publish_option_unavailable', { fields: { option: 'Story', reason: 'no.' } }), false],
    ['a refused token', failureOf('instagram_token_expired', { detail: { code: 190, subcode: 463 } }), false],
    ['a passing error', failureOf('instagram_unavailable', { detail: { code: 2, subcode: null } }), false],
  ])('judges %s', (_what, failure, expected) => expect(isRefusedForGood(failure)).toBe(expected));
});
