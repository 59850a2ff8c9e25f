export type FaultLabel = 'claim' | 'store' | 'commit' | 'outbox' | 'send' | 'settle' | 'intent' | 'call' | 'answer';
export type FaultPlace = `${FaultLabel}:${'before' | 'after'}`;

let armed: { place: string; left: number } | null = null;

/** For reliability trials: the process kills itself at this place, `#n` on the nth pass. `null` disarms. */
export function armFault(fault: string | null): void {
  if (fault === null) {
    armed = null;
    return;
  }
  const [place = '', count = '1'] = fault.split('#');
  armed = { place, left: Number(count) };
}

/** Does nothing unless this place is armed. Then it sends SIGKILL to its own process, as a power cut would end it. */
export function faultPoint(place: FaultPlace): void {
  if (armed === null || armed.place !== place) return;
  armed.left -= 1;
  if (armed.left === 0) process.kill(process.pid, 'SIGKILL');
}
