import { callDone, nameOfCall } from './client';

describe('the name of a call', () => {
  it('stays until the call was done', () => {
    const first = nameOfCall('POST /a');
    expect(first).toMatch(/^[0-9a-f]{32}$/u);
    expect(nameOfCall('POST /a')).toBe(first);
    expect(nameOfCall('POST /b')).not.toBe(first);
    callDone('POST /a');
    expect(nameOfCall('POST /a')).not.toBe(first);
  });
});
