import { stageRequestSchema } from '@autoposter/contracts';
import { readMessage } from './read-message';

const good = {
  id: '01890000-0000-7000-8000-000000000001',
  type: 'stage.requested',
  occurredAt: '2026-01-01T00:00:00.000Z',
  subjectId: '01890000-0000-7000-8000-000000000002',
  correlationId: '01890000-0000-7000-8000-000000000003',
  causationId: null,
  traceparent: null,
  payload: { stage: 'dmca', jobId: '01890000-0000-7000-8000-000000000004', turn: 1 },
};

describe('readMessage', () => {
  it('reads a valid envelope', () => {
    expect(readMessage(JSON.stringify(good), stageRequestSchema)).toEqual({ ok: true, envelope: good });
  });

  it.each([
    ['', 'not JSON'],
    ['null', 'the message'],
    [JSON.stringify({ ...good, payload: { ...good.payload, stage: 'nowhere' } }), 'payload.stage'],
    [JSON.stringify({ ...good, more: 1 }), 'more'],
  ])('says why %s is none', (text, where) => {
    expect(readMessage(text, stageRequestSchema)).toEqual({ ok: false, reason: expect.stringContaining(where) });
  });
});
