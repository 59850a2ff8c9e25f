import type { QueueQuery } from '@autoposter/contracts';
import { foundOf, totalOf } from './queue-pages';

const query = (values: Partial<QueueQuery>): QueueQuery => ({ page: 1, limit: 20, sortBy: 'priority', sortOrder: 'asc', ...values });

describe('pages of the queue', () => {
  it('are read from the nearer end', () => {
    expect(foundOf(query({ page: 3 }), 1000)).toMatchObject({
      values: [20, 40],
      text: expect.stringContaining('ORDER BY q.priority ASC, q.id ASC'),
    });
    expect(foundOf(query({ page: 49 }), 1000)).toMatchObject({
      values: [20, 20],
      text: expect.stringContaining('ORDER BY q.priority DESC, q.id DESC'),
    });
    expect(foundOf(query({ page: 50, sortBy: 'scheduling.scheduledFor', sortOrder: 'desc' }), 1000)).toMatchObject({
      values: [20, 0],
      text: expect.stringContaining('ORDER BY q.scheduled_for ASC NULLS FIRST, q.id ASC'),
      order: 'q.scheduled_for DESC NULLS LAST, q.id DESC',
    });
  });

  it('end with a shorter one, and there is none after it', () => {
    expect(foundOf(query({ page: 51 }), 1007)).toMatchObject({ values: [7, 0] });
    expect(foundOf(query({ page: 52 }), 1007)).toBeNull();
    expect(foundOf(query({}), 0)).toBeNull();
  });

  it('are filtered and counted by status', () => {
    expect(foundOf(query({ status: 'posted' }), 5)).toMatchObject({
      values: [5, 0, 'posted'],
      text: expect.stringContaining('WHERE q.status = $3'),
    });
    expect(totalOf(query({ status: 'posted' }))).toEqual({ text: expect.stringContaining('WHERE status = $1'), values: ['posted'] });
    expect(totalOf(query({})).values).toEqual([]);
  });
});
