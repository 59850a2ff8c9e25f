/** Runs `work` with the process's `Date` off by `ms`. Timers, `performance.now()` and the database are not affected. */
export async function withWrongClock<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const real = Date;
  const wrong = class extends real {
    constructor(...of: unknown[]) {
      if (of.length === 0) super(real.now() + ms);
      else super(...(of as [number]));
    }
    static override now = () => real.now() + ms;
  };
  global.Date = wrong as DateConstructor;
  try {
    return await work();
  } finally {
    global.Date = real;
  }
}
