import { render, screen } from '@testing-library/react';
import { StatusPill } from './status';

function iconOf(status: string): string | null | undefined {
  const { unmount } = render(<StatusPill status={status} label="Status" />);
  const path = screen.getByText('Status').querySelector('path')?.getAttribute('d');
  unmount();
  return path;
}

describe('StatusPill', () => {
  it.each(['cancelled', 'inactive', 'stopped', 'withdrawn', 'expired', 'rejected', 'dismissed', 'left'])(
    'shows what is %s with another icon than what waits',
    (status) => {
      expect(iconOf(status)).not.toBe(iconOf('pending'));
      expect(iconOf(status)).toBe(iconOf('cancelled'));
    },
  );

  it.each(['waiting', 'requested', 'todo', 'unchecked', 'disputed'])('shows what is %s with the icon of what waits', (status) => {
    expect(iconOf(status)).toBe(iconOf('pending'));
  });
});
