import { act, renderHook } from '@testing-library/react';
import { useDebouncedText } from './use-debounced-text';

function setUp(initial = '') {
  jest.useFakeTimers();
  const settled = jest.fn();
  const { result, rerender } = renderHook(({ value }) => useDebouncedText(value, settled), { initialProps: { value: initial } });
  return {
    settled,
    draft: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    rest: () => act(() => void jest.advanceTimersByTime(250)),
    receive: (value: string) => rerender({ value }),
  };
}

afterEach(() => jest.useRealTimers());

describe('useDebouncedText', () => {
  it('tells a text once typing rests', () => {
    const { draft, rest, settled, type } = setUp();
    type('a');
    type('ab');
    rest();
    expect(settled.mock.calls).toEqual([['ab']]);
    expect(draft()).toBe('ab');
  });

  it('keeps what is typed while an earlier text is still on its way', () => {
    const { draft, receive, rest, settled, type } = setUp();
    type('a');
    rest();
    type('ab');
    receive('a');
    expect(draft()).toBe('ab');
    rest();
    expect(settled.mock.calls).toEqual([['a'], ['ab']]);
  });

  it('takes a value that changes from outside, also one that was typed before', () => {
    const { draft, receive, rest, type } = setUp();
    type('a');
    rest();
    receive('a');
    receive('');
    expect(draft()).toBe('');
    receive('a');
    expect(draft()).toBe('a');
  });
});
