import { render, screen } from '@testing-library/react';
import { useEffect, useRef } from 'react';
import { Page } from './layout';

function FocusedField() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return <input ref={field} aria-label="Field" />;
}

describe('Page', () => {
  it('moves the focus to its heading when it opens', () => {
    render(<Page title="URLs">Text</Page>);
    expect(screen.getByRole('heading', { name: 'URLs' })).toHaveFocus();
    expect(document.title).toBe('URLs · Autoposter');
  });

  it('does not take the focus from a field that gets it once the screen is shown', () => {
    render(
      <Page title="URLs">
        <FocusedField />
      </Page>,
    );
    expect(screen.getByLabelText('Field')).toHaveFocus();
  });
});
