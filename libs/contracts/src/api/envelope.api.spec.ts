import { apiSamples } from '../samples/api.sample';
import { createClaimBodySchema } from './rights.api';
import { counterNoticeBodySchema, createNoticeBodySchema } from './takedown.api';

const { rights, takedown } = apiSamples;

describe('dates that a person enters', () => {
  it.each([
    ['the day of a notice', 'noticeDate', createClaimBodySchema, rights.create.body],
    ['the arrival of a notice', 'receivedAt', createNoticeBodySchema, takedown.createNotice.body],
    ['the arrival of a counter-notice', 'receivedAt', counterNoticeBodySchema, takedown.counter.body],
  ] as const)('refuses dates before the year 2000: %s', (_what, field, schema, body) => {
    const inYear = (year: string) =>
      schema.safeParse({ ...body, [field]: field === 'noticeDate' ? `${year}-03-01` : `${year}-03-01T10:00:00.000Z` });
    for (const year of ['2000', '2026']) expect(inYear(year).success).toBe(true);
    for (const year of ['0000', '0202', '1999'])
      expect(inYear(year).error?.issues).toMatchObject([{ path: [field], message: 'Please give a date of the year 2000 or later' }]);
  });
});
