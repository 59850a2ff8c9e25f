import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { resetPreferences, setPreferences } from '../../preferences/preferences';
import { useShortcuts } from './use-shortcuts';

const pressed: string[] = [];

function Keys({ dialog = false, extra = false }: { dialog?: boolean; extra?: boolean }) {
  const key = (keys: string) => ({ keys, label: keys, run: () => pressed.push(keys) });
  useShortcuts('Screen', [key('r'), key('g d'), key('?'), key('mod+z'), key('mod+k'), key('Enter')]);
  return (
    <>
      <input aria-label="Field" />
      <button type="button">Press</button>
      {dialog ? <div role="dialog" aria-label="Dialog" /> : null}
      {extra ? <Inner /> : null}
    </>
  );
}

function Inner() {
  useShortcuts('Inner', [{ keys: 'r', label: 'inner', run: () => pressed.push('inner r') }], { inDialog: true });
  return null;
}

beforeEach(() => {
  pressed.length = 0;
  window.localStorage.clear();
  resetPreferences();
});

describe('useShortcuts', () => {
  it('handles single keys, sequences of two, symbols and keys with Ctrl or Cmd', async () => {
    render(<Keys />);
    await userEvent.keyboard('rgd?{Control>}z{/Control}{Meta>}k{/Meta}');
    expect(pressed).toEqual(['r', 'g d', '?', 'mod+z', 'mod+k']);
  });

  it('ignores an interrupted sequence, keys with Alt, and Redo', async () => {
    render(<Keys />);
    await userEvent.keyboard('gxd{Alt>}r{/Alt}{Control>}{Shift>}z{/Shift}{/Control}');
    expect(pressed).toEqual([]);
  });

  it('ignores all keys but the command palette while the user types', async () => {
    render(<Keys />);
    await userEvent.type(screen.getByLabelText('Field'), 'rgd?{Control>}z{/Control}{Control>}k{/Control}');
    expect(pressed).toEqual(['mod+k']);
    expect(screen.getByLabelText('Field')).toHaveValue('rgd?');
  });

  it('leaves Enter to the focused button', async () => {
    render(<Keys />);
    screen.getByRole('button', { name: 'Press' }).focus();
    await userEvent.keyboard('{Enter}r');
    expect(pressed).toEqual(['r']);
  });

  it('handles only the shortcuts of an open dialog', async () => {
    const { rerender } = render(<Keys dialog />);
    await userEvent.keyboard('r{Control>}k{/Control}');
    expect(pressed).toEqual([]);
    rerender(<Keys dialog extra />);
    await userEvent.keyboard('r');
    expect(pressed).toEqual(['inner r']);
  });

  it('prefers the innermost scope and removes it on unmount', async () => {
    const { rerender, unmount } = render(<Keys extra />);
    await userEvent.keyboard('r');
    rerender(<Keys />);
    await userEvent.keyboard('r');
    unmount();
    await userEvent.keyboard('r');
    expect(pressed).toEqual(['inner r', 'r']);
  });

  it('ignores single-letter shortcuts that are switched off', async () => {
    setPreferences({ shortcuts: false });
    render(<Keys />);
    await userEvent.keyboard('rgd?{Control>}k{/Control}');
    expect(pressed).toEqual(['mod+k']);
  });
});
