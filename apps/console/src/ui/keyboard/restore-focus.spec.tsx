import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { restoreFocus } from './restore-focus';

interface ScreenProps {
  rows: readonly string[];
  busy?: string;
  dialog?: boolean;
}

function Screen({ rows, busy, dialog = false }: ScreenProps) {
  useEffect(restoreFocus, []);
  return (
    <>
      <header>
        <button type="button">Bell</button>
      </header>
      <main>
        <h1 tabIndex={-1}>Rows</h1>
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <button type="button" disabled={busy === row}>
                {row}
              </button>
            </li>
          ))}
        </ul>
      </main>
      {dialog ? createPortal(<button type="button">Yes</button>, document.body) : null}
    </>
  );
}

const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus());
const focused = () => document.activeElement?.textContent;

it('goes to the row that took the place of the one that was deleted, else to the one before it', async () => {
  const { rerender } = render(<Screen rows={['one', 'two', 'three']} />);
  focus('two');
  rerender(<Screen rows={['one', 'three']} />);
  await waitFor(() => expect(focused()).toBe('three'));
  rerender(<Screen rows={['one']} />);
  await waitFor(() => expect(focused()).toBe('one'));
});

it('goes to the heading of the screen when nothing is left beside it', async () => {
  const { rerender } = render(<Screen rows={['one']} />);
  focus('one');
  rerender(<Screen rows={[]} />);
  await waitFor(() => expect(focused()).toBe('Rows'));
});

it('comes back to a button that was only busy', async () => {
  const { rerender } = render(<Screen rows={['one', 'two']} />);
  focus('one');
  // as a browser does with a button that is switched off
  act(() => (document.activeElement as HTMLElement).blur());
  rerender(<Screen rows={['one', 'two']} busy="one" />);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(document.activeElement).toBe(document.body);
  rerender(<Screen rows={['one', 'two']} />);
  await waitFor(() => expect(focused()).toBe('one'));
});

it('goes on from a button that stays of no use', async () => {
  const { rerender } = render(<Screen rows={['one', 'two']} />);
  focus('two');
  rerender(<Screen rows={['one', 'two']} busy="two" />);
  await waitFor(() => expect(focused()).toBe('one'), { timeout: 3_000 });
});

it('leaves who points where a busy button has left them', async () => {
  const { rerender } = render(<Screen rows={['one', 'two']} />);
  fireEvent.pointerDown(screen.getByRole('button', { name: 'two' }));
  focus('two');
  act(() => (document.activeElement as HTMLElement).blur());
  rerender(<Screen rows={['one', 'two']} busy="two" />);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(document.activeElement).toBe(document.body);
});

it('finds its way when the dialog and the row that opened it go together', async () => {
  const { rerender } = render(<Screen rows={['one', 'two']} />);
  focus('one');
  rerender(<Screen rows={['one', 'two']} dialog />);
  focus('Yes');
  rerender(<Screen rows={['two']} />);
  await waitFor(() => expect(focused()).toBe('two'));
});

it('comes back to what opened a dialog, though that was busy when the dialog closed', async () => {
  const { rerender } = render(<Screen rows={['one', 'two']} />);
  focus('one');
  rerender(<Screen rows={['one', 'two']} dialog />);
  focus('Yes');
  rerender(<Screen rows={['one', 'two']} dialog busy="one" />);
  rerender(<Screen rows={['one', 'two']} dialog />);
  rerender(<Screen rows={['one', 'two']} />);
  await waitFor(() => expect(focused()).toBe('one'));
});

it('leaves alone who pressed on nothing, and who is elsewhere', async () => {
  const { rerender } = render(<Screen rows={['one', 'two']} />);
  focus('one');
  fireEvent.pointerDown(document.body);
  act(() => (document.activeElement as HTMLElement).blur());
  rerender(<Screen rows={['two']} />);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(document.activeElement).toBe(document.body);
  focus('two');
  focus('Bell');
  rerender(<Screen rows={[]} />);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(focused()).toBe('Bell');
});
