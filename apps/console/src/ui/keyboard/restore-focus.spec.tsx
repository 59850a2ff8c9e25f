import { act, fireEvent, render, screen } from '@testing-library/react';
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
        <button type="button">Menu</button>
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
const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const SETTLED_MS = 100;
const BUSY_TIMEOUT_MS = 1_200;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('restoreFocus', () => {
  it('focuses the row after a deleted one, else the row before it', async () => {
    const { rerender } = render(<Screen rows={['one', 'two', 'three']} />);
    focus('two');
    rerender(<Screen rows={['one', 'three']} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('three');
    rerender(<Screen rows={['one']} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('one');
  });

  it('scrolls to the row that it focuses, unless the user works with a pointer', async () => {
    const calls = jest.spyOn(HTMLElement.prototype, 'focus');
    const { rerender } = render(<Screen rows={['one', 'two', 'three']} />);
    focus('three');
    rerender(<Screen rows={['one', 'two']} />);
    await wait(SETTLED_MS);
    expect([focused(), calls.mock.lastCall]).toEqual(['two', [{ preventScroll: false }]]);
    fireEvent.pointerDown(document.body);
    focus('one');
    rerender(<Screen rows={['two']} />);
    await wait(SETTLED_MS);
    expect([focused(), calls.mock.lastCall]).toEqual(['two', [{ preventScroll: true }]]);
    calls.mockRestore();
  });

  it('leaves a page that is being scrolled where it is', async () => {
    const calls = jest.spyOn(HTMLElement.prototype, 'focus');
    const { rerender } = render(<Screen rows={['one', 'two', 'three']} />);
    focus('one');
    fireEvent.scroll(document);
    rerender(<Screen rows={['two', 'three']} />);
    await wait(SETTLED_MS);
    expect([focused(), calls.mock.lastCall]).toEqual(['two', [{ preventScroll: true }]]);
    calls.mockRestore();
  });

  it('focuses the heading of the screen when no row is left', async () => {
    const { rerender } = render(<Screen rows={['one']} />);
    focus('one');
    rerender(<Screen rows={[]} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('Rows');
  });

  it('focuses a button again that was disabled briefly', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    focus('one');
    // A browser blurs a disabled button, jsdom does not.
    act(() => (document.activeElement as HTMLElement).blur());
    rerender(<Screen rows={['one', 'two']} busy="one" />);
    await wait(SETTLED_MS);
    expect(document.activeElement).toBe(document.body);
    rerender(<Screen rows={['one', 'two']} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('one');
  });

  it('focuses the nearest row when a button stays disabled', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    focus('two');
    rerender(<Screen rows={['one', 'two']} busy="two" />);
    await wait(BUSY_TIMEOUT_MS);
    expect(focused()).toBe('one');
  });

  it('focuses a button again that was disabled for long, unless a key was pressed meanwhile', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    for (const [key, expected] of [
      [null, 'two'],
      ['Tab', 'one'],
    ] as const) {
      focus('two');
      rerender(<Screen rows={['one', 'two']} busy="two" />);
      await wait(BUSY_TIMEOUT_MS);
      expect(focused()).toBe('one');
      if (key !== null) fireEvent.keyDown(document.body, { key });
      rerender(<Screen rows={['one', 'two']} />);
      await wait(SETTLED_MS);
      expect(focused()).toBe(expected);
    }
  });

  it('does not move the focus of a pointer user when a button stays disabled', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    fireEvent.pointerDown(screen.getByRole('button', { name: 'two' }));
    focus('two');
    act(() => (document.activeElement as HTMLElement).blur());
    rerender(<Screen rows={['one', 'two']} busy="two" />);
    await wait(BUSY_TIMEOUT_MS);
    expect(document.activeElement).toBe(document.body);
  });

  it('focuses the next row when a dialog closes together with the row that opened it', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    focus('one');
    rerender(<Screen rows={['one', 'two']} dialog />);
    focus('Yes');
    rerender(<Screen rows={['two']} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('two');
  });

  it('focuses the control that opened a dialog, although it was disabled when the dialog closed', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    focus('one');
    rerender(<Screen rows={['one', 'two']} dialog />);
    focus('Yes');
    rerender(<Screen rows={['one', 'two']} dialog busy="one" />);
    rerender(<Screen rows={['one', 'two']} dialog />);
    rerender(<Screen rows={['one', 'two']} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('one');
  });

  it('does nothing after a click on the background, or while another element has the focus', async () => {
    const { rerender } = render(<Screen rows={['one', 'two']} />);
    focus('one');
    fireEvent.pointerDown(document.body);
    act(() => (document.activeElement as HTMLElement).blur());
    rerender(<Screen rows={['two']} />);
    await wait(SETTLED_MS);
    expect(document.activeElement).toBe(document.body);
    focus('two');
    focus('Menu');
    rerender(<Screen rows={[]} />);
    await wait(SETTLED_MS);
    expect(focused()).toBe('Menu');
  });
});
