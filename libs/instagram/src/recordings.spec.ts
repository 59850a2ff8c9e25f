import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { objectIn } from '@autoposter/domain';
import { explainContainerError, graphFailureOf } from './graph-error';
import { readMedia, toIsoTime } from './graph-media';
import { readPublishAnswer } from './publish-outcome';

/** Real answers of the Graph API, kept outside the project. Where they are absent the suite says so. */
const folder = path.resolve(__dirname, '../../../../shared/recordings/instagram');
const present = existsSync(folder);
if (!present) process.stdout.write(`recordings of Instagram skipped: ${folder} is not there\n`);
const load = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

interface Recorded {
  case: string;
  http_status: number;
  body: unknown;
}

(present ? describe : describe.skip)('recorded answers of Instagram', () => {
  const errors = present ? (load('errors-real.json') as Recorded[]) : [];

  test.each(errors.filter((entry) => entry.http_status >= 400).map((entry) => [entry.case, entry] as const))(
    'error %s has a row of the table',
    (_name, entry) => {
      const failure = graphFailureOf({ status: entry.http_status, headers: new Headers(), json: entry.body })?.failure;
      const error = objectIn(objectIn(entry.body)['error']);
      expect(failure?.detail).toMatchObject({ code: error['code'] ?? null });
      expect(failure?.kind).not.toBe('upstream_rejected');
    },
  );

  test('a failed container is explained by the code in its text', () => {
    const failed = errors.filter((entry) => entry.http_status === 200);
    expect(failed).not.toHaveLength(0);
    for (const entry of failed) expect(explainContainerError(String(objectIn(entry.body)['status'])).kind).not.toBe('upstream_rejected');
  });

  test('media pages are read with their cursor', () => {
    const own = readMedia(load('user-medias-page1.json'));
    expect(own.media).toHaveLength(2);
    expect(own.next).toBe('after');
    expect(toIsoTime(own.media[0]?.timestamp)).toBe('2021-08-13T08:25:28.000Z');
    const found = readMedia(objectIn(objectIn(load('business-discovery-page1.json'))['business_discovery'])['media'], true);
    expect(found.media.map((media) => media.like_count)).toEqual([87, 186]);
    expect(found.next).toBe('after');
  });

  test('the recorded publish answer is a media id', () => {
    const answer = { status: 200, headers: new Headers(), json: load('publish-container.json') };
    expect(readPublishAnswer(answer)).toEqual({ outcome: 'published', mediaId: '17920238422030506' });
  });
});
