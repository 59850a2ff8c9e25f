import { compatibilitySchema } from '@autoposter/contracts';
import { NOT_PAUSED, type PublishingSwitch } from '@autoposter/domain';
import { presentAccount, presentCompatibility } from './instagram.presenter';

const at = new Date('2026-05-05T10:00:00Z');
const there = { available: true, message: 'FFmpeg 7.1 is available' };

describe('reports of workers', () => {
  it('are a success only with both tools and both encoders', () => {
    const all = presentCompatibility({ ffmpeg: there, ffprobe: there, encoders: { h264: true, aac: true } }, at);
    expect(compatibilitySchema.strict().parse(all)).toEqual({
      success: true,
      ffmpeg: there,
      ffprobe: there,
      error: null,
      checkedAt: '2026-05-05T10:00:00.000Z',
    });
    expect(presentCompatibility({ ffmpeg: there, ffprobe: { available: false, message: 'gone' } }, at)).toMatchObject({
      success: false,
      ffprobe: { available: false, message: 'gone' },
      error: expect.stringContaining('missing'),
    });
    const noAac = presentCompatibility({ ffmpeg: there, ffprobe: there, encoders: { h264: true, aac: false } }, at);
    expect([noAac.success, noAac.error]).toEqual([false, 'FFmpeg cannot encode AAC.']);
  });

  it('are unknown until a worker has reported', () => {
    const unknown = presentCompatibility(null, null);
    expect(unknown).toMatchObject({ success: false, checkedAt: null, ffmpeg: { available: false } });
    expect(unknown.error).toContain('No media worker has reported yet');
  });

  it('show the state of the account', () => {
    expect(presentAccount({ username: 'us', detail: 'Connected.' }, at, NOT_PAUSED)).toEqual({
      username: 'us',
      ok: true,
      detail: 'Connected.',
      checkedAt: '2026-05-05T10:00:00.000Z',
    });
    expect(presentAccount({ ok: false }, at, NOT_PAUSED)).toMatchObject({ ok: false, username: null });
  });

  it('show a refusal after the last check, but neither an earlier one nor a manual pause', () => {
    const [before, after] = ['2026-05-05T09:59:59.000Z', '2026-05-05T10:00:01.000Z'];
    const stop = {
      paused: true,
      by: 'autoposter',
      cause: 'token',
      reason: 'The token has expired.',
      nextAction: 'Set a new one.',
    } as const;
    const shown = (publishing: PublishingSwitch) => presentAccount({ username: 'us', ok: true, detail: 'Connected.' }, at, publishing);
    const refused = { username: 'us', ok: false, detail: 'The token has expired. Set a new one.', checkedAt: after };
    expect(shown({ ...stop, since: after })).toEqual(refused);
    expect(shown({ ...stop, since: before })).toMatchObject({ ok: true, detail: 'Connected.' });
    expect(shown({ paused: true, by: 'a@b.c', cause: 'person', since: after })).toMatchObject({ ok: true });
  });
});
