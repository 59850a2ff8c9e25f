import { stillInWork } from './still-in-work';

const FIRST = new Date('2026-05-01T10:00:00Z');
const look = async (minutes: number, checkpoint?: unknown) => {
  const saveCheckpoint = jest.fn(() => Promise.resolve());
  const now = new Date(FIRST.getTime() + minutes * 60_000);
  const result = await stillInWork({ checkpoint, saveCheckpoint, now }, { containerPollSeconds: 60 }, 'Preparing.');
  return { result, saveCheckpoint };
};

describe('media that the platform is still preparing', () => {
  it('are looked at again, and when that began is kept once', async () => {
    const { result, saveCheckpoint } = await look(0);
    expect(result).toMatchObject({ kind: 'wait', seconds: 5, reason: 'Preparing.' });
    expect(saveCheckpoint.mock.calls).toEqual([[FIRST.toISOString()]]);
    const later = await look(119, FIRST.toISOString());
    expect(later.result).toMatchObject({ kind: 'wait' });
    expect(later.saveCheckpoint).not.toHaveBeenCalled();
  });

  it('are looked at after 5 s first and then less and less often, down to once a minute', async () => {
    const looks = [0];
    for (let at = 0; looks.length < 9; looks.push(at)) {
      const { result } = await look(at / 60, FIRST.toISOString());
      at += (result as { seconds: number }).seconds;
    }
    expect(looks).toEqual([0, 5, 10, 20, 40, 80, 140, 200, 260]);
  });

  it('are given up with words after two hours', async () => {
    expect((await look(121, FIRST.toISOString())).result).toMatchObject({
      kind: 'fail',
      failure: { kind: 'upstream_rejected', message: 'Instagram has been preparing the media for more than 2 hours.' },
    });
  });
});
