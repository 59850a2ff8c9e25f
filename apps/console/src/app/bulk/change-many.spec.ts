import { dismissRun, readRuns } from '../../data/runs/run-store';
import { changeMany } from './change-many';

afterEach(() => {
  for (const { id } of readRuns()) dismissRun(id);
});

describe('changeMany', () => {
  it('counts failed items apart from changed ones', async () => {
    const one = (item: number) => (item > 4 ? Promise.reject(new Error('The item has changed')) : Promise.resolve([]));
    await changeMany([1, 2, 3, 4, 5, 6], { title: 'Discarding', one, done: String, failed: String, refresh: [] });
    expect(readRuns()).toMatchObject([{ title: 'Discarding', total: 6, done: 4, failed: 2 }]);
  });
});
