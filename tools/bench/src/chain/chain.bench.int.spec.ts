import { countOverLimit } from './chain.bench';

jest.setTimeout(180_000);

describe('the chain of four stages', () => {
  it('stays within its limits of statements, transactions and row writes per item', async () => {
    const { work, exceeded } = await countOverLimit(150);
    expect(exceeded).toEqual([]);
    // four jobs are created, claimed and ended, and each moves the item
    expect(work.rowWrites).toBeGreaterThan(15);
  });
});
