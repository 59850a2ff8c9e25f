import { compatibilitySchema } from '@autoposter/contracts';
import { presentAccount, presentCompatibility } from './instagram.presenter';

const at = new Date('2026-05-05T10:00:00Z');
const there = { available: true, message: 'FFmpeg 7.1 is available' };

describe('what workers reported', () => {
  it('is a success only with both tools and both encoders', () => {
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

  it('is said not to be known while nobody has reported', () => {
    const unknown = presentCompatibility(null, null);
    expect(unknown).toMatchObject({ success: false, checkedAt: null, ffmpeg: { available: false } });
    expect(unknown.error).toContain('No media worker has reported yet');
  });

  it('tells how the account is', () => {
    expect(presentAccount({ username: 'us', detail: 'Connected.' }, at)).toEqual({
      username: 'us',
      ok: true,
      detail: 'Connected.',
      checkedAt: '2026-05-05T10:00:00.000Z',
    });
    expect(presentAccount({ ok: false }, at)).toMatchObject({ ok: false, username: null });
  });
});
