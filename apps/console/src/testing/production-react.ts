import { setImmediate } from 'node:timers';
import type React from 'react';
import type ReactDom from 'react-dom';

/**
 * Loads the builds of React and Emotion that are deployed, because the development builds take a third more CPU time. They have no `act`;
 * this one runs the work that its callback causes, for which it replaces React's scheduler. Transitions are part of it if it is awaited.
 */
process.env.NODE_ENV = 'production';

interface Task {
  priority: number;
  callback: unknown;
}

/** A package of React's, not ours. */
const SCHEDULER = 'scheduler';

const tasks: Task[] = [];
let isFlushing = false;

function flush(): void {
  if (isFlushing) return;
  isFlushing = true;
  try {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift())
      while (typeof task.callback === 'function') task.callback = task.callback(false);
  } finally {
    isFlushing = false;
  }
}

Object.assign(jest.requireActual<object>(SCHEDULER), {
  unstable_scheduleCallback(priority: number, callback: unknown): Task {
    const task = { priority, callback };
    tasks.push(task);
    tasks.sort((one, other) => one.priority - other.priority);
    setImmediate(flush);
    return task;
  },
  unstable_cancelCallback: (task: Task) => void (task.callback = null),
  unstable_shouldYield: () => false,
});

function act(callback: () => unknown): unknown {
  const result = jest.requireActual<typeof ReactDom>('react-dom').flushSync(callback) as PromiseLike<unknown> | null | undefined;
  return typeof result?.then === 'function' ? result.then(flush) : flush();
}

Object.assign(jest.requireActual<typeof React>('react'), { act });
