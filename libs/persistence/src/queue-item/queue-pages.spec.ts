import type { QueueQuery } from '@autoposter/contracts';
import { foundOf, startOf } from './queue-pages';

const query = (values: Partial<QueueQuery>): QueueQuery => ({ page: 1, limit: 20, sortBy: 'priority', sortOrder: 'asc', ...values });
/** Start of a page in an order without spans. */
const all = (total: number) => ({ total, below: 0, span: 0 });

describe('queue pages', () => {
  it('are read from the nearer end', () => {
    expect(foundOf(query({ page: 3 }), all(1000))).toMatchObject({
      values: [20, 40],
      text: expect.stringContaining('ORDER BY q.priority ASC, q.id ASC'),
    });
    expect(foundOf(query({ page: 49 }), all(1000))).toMatchObject({
      values: [20, 20],
      text: expect.stringContaining('ORDER BY q.priority DESC, q.id DESC'),
    });
    expect(foundOf(query({ page: 50, sortBy: 'sourceData.subreddit', sortOrder: 'desc' }), all(1000))).toMatchObject({
      values: [20, 0],
      text: expect.stringContaining('ORDER BY q.subreddit_key ASC NULLS FIRST, q.id ASC'),
      order: 'q.subreddit_key DESC NULLS LAST, q.id DESC',
    });
  });

  it('start in the span of four weeks that contains their first row', () => {
    const page = query({ page: 31, sortBy: 'scheduling.scheduledFor', status: 'posted' });
    const start = { total: 1000, below: 590, span: 700 };
    expect(foundOf(page, start)).toMatchObject({
      values: [20, 10, 'posted', '2023-08-31T00:00:00.000Z'],
      text: expect.stringContaining("coalesce(q.scheduled_for, 'infinity') >= $4::timestamptz"),
    });
    expect(foundOf({ ...page, sortOrder: 'desc' }, start)).toMatchObject({
      values: [20, 10, 'posted', '2023-09-27T23:59:59.999Z'],
      text: expect.stringContaining("coalesce(q.scheduled_for, '-infinity') <= $4::timestamptz"),
    });
    // nearer to the end of the list
    expect(foundOf({ ...page, page: 50, sortOrder: 'desc' }, { ...start, below: 600 })).toMatchObject({
      values: [20, 0, 'posted'],
      text: expect.stringContaining("ORDER BY coalesce(q.scheduled_for, '-infinity') ASC, q.id ASC"),
      order: "coalesce(q.scheduled_for, '-infinity') DESC, q.id DESC",
    });
    expect(startOf(page)).toEqual({ text: expect.stringContaining('SELECT slot_span AS span'), values: [600, 'posted'] });
  });

  it('end with a shorter page and no page after it', () => {
    expect(foundOf(query({ page: 51 }), all(1007))).toMatchObject({ values: [7, 0] });
    expect(foundOf(query({ page: 52 }), all(1007))).toBeNull();
    expect(foundOf(query({}), all(0))).toBeNull();
  });

  it('are filtered and counted by status', () => {
    expect(foundOf(query({ status: 'posted' }), all(5))).toMatchObject({
      values: [5, 0, 'posted'],
      text: expect.stringContaining('q.status = $3'),
    });
    expect(startOf(query({ status: 'posted' }))).toEqual({
      text: expect.stringContaining('WHERE true AND status = $2'),
      values: [0, 'posted'],
    });
    expect(startOf(query({})).values).toEqual([0]);
  });

  it('are filtered and counted by account', () => {
    const accountId = 'account';
    expect(foundOf(query({ accountId }), all(5))).toMatchObject({
      values: [5, 0, accountId],
      text: expect.stringContaining('q.account_id = $3'),
    });
    expect(startOf(query({ accountId }))).toMatchObject({ text: expect.stringContaining('account_id = $2'), values: [0, accountId] });
  });
});
