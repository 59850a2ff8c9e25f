import { act, renderHook } from '@testing-library/react';
import { useDebouncedText } from './timers';

function setUp(initial = '') {
  jest.useFakeTimers();
  const onChange = jest.fn();
  const { result, rerender } = renderHook(({ value }) => useDebouncedText(value, onChange), { initialProps: { value: initial } });
  return {
    onChange,
    draft: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    pause: () => act(() => void jest.advanceTimersByTime(250)),
    receive: (value: string) => rerender({ value }),
  };
}

afterEach(() => jest.useRealTimers());

describe('useDebouncedText', () => {
  it('reports the text after typing has paused', () => {
    const { draft, pause, onChange, type } = setUp();
    type('a');
    type('ab');
    pause();
    expect(onChange.mock.calls).toEqual([['ab']]);
    expect(draft()).toBe('ab');
  });

  it('keeps typed text when an earlier text arrives as the value', () => {
    const { draft, receive, pause, onChange, type } = setUp();
    type('a');
    pause();
    type('ab');
    receive('a');
    expect(draft()).toBe('ab');
    pause();
    expect(onChange.mock.calls).toEqual([['a'], ['ab']]);
  });

  it('adopts a value that changes from outside, even one that was typed before', () => {
    const { draft, receive, pause, type } = setUp();
    type('a');
    pause();
    receive('a');
    receive('');
    expect(draft()).toBe('');
    receive('a');
    expect(draft()).toBe('a');
  });
});
